-- purpose: records the outcome of parked items; a discarded item may still be retried.
-- parameters: ids (text[]), outcome, reason (text), decided_at (timestamptz)
-- grain:   one row per item: its id
insert into parked_outcomes (parked_id, outcome, reason, decided_at)
select parked_items.parked_id, :'outcome'::text, :'reason'::text, :'decided_at'::timestamptz
from parked_items
where parked_items.parked_id = any(:'ids'::text[])
    and not exists (
        select 1
        from parked_outcomes
        where parked_outcomes.parked_id = parked_items.parked_id
            and (:'outcome'::text = 'discarded' or parked_outcomes.outcome = 'retried')
    )
on conflict do nothing
returning parked_id;
