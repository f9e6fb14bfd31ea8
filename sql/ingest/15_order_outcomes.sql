-- purpose: how the chunk's rows were judged.
-- parameters: none
-- grain:   one row per outcome
select outcome, count(*) as row_count
from judged_order
group by outcome;
