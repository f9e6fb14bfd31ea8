-- purpose: the reasons of the verdicts of a run.
-- parameters: run_id (text)
-- grain:   one row per ended attempt that states reasons: JSON of a phrase
select message::text as reasons
from runs
where run_id = :'run_id'::text
    and message is not null
order by attempt;
