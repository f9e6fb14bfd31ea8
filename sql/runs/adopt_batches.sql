-- purpose: batches read on the wall clock are known from the first run that uses them, when its clock lies earlier.
-- parameters: as_of (timestamptz)
-- grain:   one batch
update batches
set known_at = :'as_of'::timestamptz
where not is_clock_given
    and known_at > :'as_of'::timestamptz;
