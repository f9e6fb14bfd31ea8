-- purpose: marks the start of case gathering, before the first gathering.
-- parameters: as_of (timestamptz)
-- grain:   one row
select console_begin(:'as_of'::timestamptz);
