-- purpose: parked items that were neither retried nor discarded. Named items are returned even if discarded. The end of
--          a truncated file may be half a record, so it is returned only if named.
-- parameters: ids (text[]): empty for all; row_max (bigint)
-- grain:   one row per item
with refused as materialized (
    select distinct truncated_inputs.parked_id
    from truncated_inputs
    where truncated_inputs.of_batch_id is not null
)
select
    parked_items.parked_id, parked_items.kind, parked_items.file, parked_items.line, parked_items.header, parked_items.raw,
    parked_items.byte_count, coalesce(batches.read_at, batches.known_at) as parked_at,
    parked_items.kind in ('finance', 'bank')
    or refused.parked_id is not null as is_file
from parked_items
inner join batches on batches.batch_id = parked_items.batch_id
left join refused on refused.parked_id = parked_items.parked_id
where (cardinality(:'ids'::text[]) = 0 or parked_items.parked_id = any(:'ids'::text[]))
    and not exists (
        select 1
        from parked_outcomes
        where parked_outcomes.parked_id = parked_items.parked_id
            and (cardinality(:'ids'::text[]) = 0 or parked_outcomes.outcome = 'retried')
    )
    and (cardinality(:'ids'::text[]) > 0 or parked_items.parked_id not in (select truncated_inputs.parked_id from truncated_inputs))
order by parked_items.kind, parked_items.file, parked_items.line, parked_items.parked_id
limit :'row_max'::bigint;
