-- purpose: open parked items whose stored bytes name an id, as a whole word. Only the newest items are searched.
-- parameters: id (text), as_of (timestamptz), searched_max (bigint): items that are searched, row_max (bigint): limit
-- grain:   one row per item
with ended as materialized (
    select truncated_inputs.parked_id
    from truncated_inputs
    where is_truncation_resolved(truncated_inputs.parked_id, :'as_of'::timestamptz)
),
searched as materialized (
    select parked_items.*
    from parked_items
    inner join batches on batches.batch_id = parked_items.batch_id
    where batches.known_at <= :'as_of'::timestamptz
        and not exists (
            select 1
            from parked_outcomes
            where parked_outcomes.parked_id = parked_items.parked_id
                and parked_outcomes.decided_at <= :'as_of'::timestamptz
        )
        and parked_items.parked_id not in (select ended.parked_id from ended)
    order by parked_items.batch_id desc, parked_items.parked_id
    limit :'searched_max'::bigint
),
named as (
    select
        convert_to(:'id'::text, 'UTF8') as id_bytes,
        '(^|[^[:alnum:]_.-])'
        || regexp_replace(encode(convert_to(:'id'::text, 'UTF8'), 'escape'), '([^[:alnum:]])', '\\\1', 'g')
        || '($|[^[:alnum:]_.-])' as whole_word
)
select searched.parked_id, searched.kind, searched.file, searched.line, searched.field, searched.reason::text as reason
from searched
inner join named
    on position(named.id_bytes in searched.raw) > 0
    and encode(searched.raw, 'escape') ~ named.whole_word
order by searched.kind, searched.file, searched.line, searched.parked_id
limit :'row_max'::bigint;
