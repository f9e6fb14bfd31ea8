-- purpose: export of parked input: position, reason and bytes of each item.
-- parameters: as_of (timestamptz)
-- grain:   one row per parked item
with ended as materialized (
    select distinct truncated_inputs.parked_id
    from truncated_inputs
    where is_truncation_resolved(truncated_inputs.parked_id, :'as_of'::timestamptz)
)
select
    parked_items.parked_id, parked_items.kind, parked_items.file, parked_items.line, parked_items.field, parked_items.reason,
    coalesce(outcome.outcome, case when ended.parked_id is not null then 'completed' end, 'open') as state,
    parked_items.byte_count,
    rfc3339(batches.known_at) as parked_at,
    encode(parked_items.raw, 'escape') as raw
from parked_items
inner join batches on batches.batch_id = parked_items.batch_id
left join ended on ended.parked_id = parked_items.parked_id
left join lateral (
    select parked_outcomes.outcome
    from parked_outcomes
    where parked_outcomes.parked_id = parked_items.parked_id
    -- A retry comes after a discard of the same instant, since retried items cannot be discarded.
    order by parked_outcomes.decided_at desc, parked_outcomes.outcome desc
    limit 1
) as outcome on true
order by parked_items.kind, parked_items.file, parked_items.line, parked_items.parked_id;
