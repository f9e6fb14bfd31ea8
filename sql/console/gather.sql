-- purpose: gathers some cases again: the named ones, or those that changed.
-- parameters: as_of (timestamptz); case_ids (text[]): none for those that changed; detected (text): what cases rest on now, null
--             where they were gathered from that before; rows (bigint): changes at most
-- grain:   one row: the number of changes
select console_gather(:'as_of'::timestamptz, :'case_ids'::text[], :'detected'::text, :'rows'::bigint);
