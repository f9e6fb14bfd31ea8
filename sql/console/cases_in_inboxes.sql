-- purpose: those of the given cases that are in an account's inboxes.
-- parameters: case_ids, inboxes (text[]): none for all
-- grain:   one row per case
select kept.case_id
from console_cases as kept
where kept.case_id = any(:'case_ids'::text[])
    and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
order by kept.case_id;
