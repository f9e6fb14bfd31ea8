-- purpose: notes that cases are gathered from here on, before they are for the first time.
-- parameters: as_of (timestamptz)
-- grain:   one row
select console_begin(:'as_of'::timestamptz);
