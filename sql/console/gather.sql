-- purpose: gathers named cases again, or those that changed.
-- parameters: as_of (timestamptz); case_ids (text[]): none for those that changed; detected (text): identity of the state that
--             cases are built from, null if they were already gathered from it; rows (bigint): limit of changes
-- grain:   one row: the number of changes
select console_gather(:'as_of'::timestamptz, :'case_ids'::text[], :'detected'::text, :'rows'::bigint);
