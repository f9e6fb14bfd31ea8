-- purpose: lists all cases for gathering, unless another caller did.
-- parameters: as_of (timestamptz)
-- grain:   one row
select console_list(:'as_of'::timestamptz);
