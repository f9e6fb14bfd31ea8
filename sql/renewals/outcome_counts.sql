-- purpose: how many members of plans stand at each outcome, for the summary of a settlement.
-- parameters: as_of (timestamptz)
-- grain:   one row per outcome
select outcome, count(*) as member_count
from renewal_outcomes_at(:'as_of'::timestamptz) as settled
group by outcome
order by outcome collate "C";
