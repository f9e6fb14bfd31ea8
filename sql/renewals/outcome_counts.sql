-- purpose: the number of plan members per outcome, for a settlement's summary.
-- parameters: as_of (timestamptz)
-- grain:   one row per outcome
select outcome, count(*) as member_count
from renewal_outcomes_at(:'as_of'::timestamptz) as settled
group by outcome
order by outcome collate "C";
