-- purpose: breaks and signals of some cases as they were gathered last.
-- parameters: case_ids (text[])
-- grain:   one row per break or signal
select distinct item.id
from console_cases
cross join lateral unnest(console_cases.item_ids) as item (id)
where console_cases.case_id = any(:'case_ids'::text[] collate "C");
