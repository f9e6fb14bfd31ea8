-- purpose: lists every case as one to gather, unless another caller did.
-- parameters: as_of (timestamptz)
-- grain:   one row
select console_list(:'as_of'::timestamptz);
