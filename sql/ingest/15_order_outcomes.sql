-- purpose: counts of the chunk's rows by outcome.
-- grain:   one row per outcome
select outcome, count(*) as row_count
from judged_order
group by outcome;
