-- purpose: forgets cases as they were gathered last.
-- parameters: case_ids (text[]): none for all
-- grain:   one row per case
delete from console_cases
where cardinality(:'case_ids'::text[]) = 0
    or case_id = any(:'case_ids'::text[]);
