-- purpose: the batches behind each figure of the inputs, with their counts; parked items are listed one by one with their
--          reasons.
-- parameters: kind, file_name, sha256, figure (text: column of the inputs; empty for all, - for inputs without content);
--             rows/set_viewed.sql sets the clock
-- grain:   one row per figure and batch, or parked item; the values of a figure add up to it
with input_figure as materialized (
    select
        input.kind, coalesce(nullif(input.file_name, ''), '-') as named, input.file_name,
        coalesce(nullif(input.content_sha256, ''), '-') as sha256, figure.figure, input.batch_id, input.source, input.known_at,
        input.newest_fact_at, figure.value
    from input_rows() as input
    cross join lateral (values
        ('input_count', input.input_count), ('accepted_count', input.accepted_count), ('repeated_count', input.repeated_count),
        ('ignored_count', input.ignored_count), ('parked_count', input.parked_count)
    ) as figure (figure, value)
    where :'kind'::text in ('', input.kind)
        and :'sha256'::text in ('', coalesce(nullif(input.content_sha256, ''), '-'))
        and :'figure'::text in ('', figure.figure)
        and figure.value <> 0
),
parked as materialized (
    select parked_items.batch_id, parked_items.parked_id, parked_items.line, parked_items.field, parked_items.reason
    from parked_items
    where parked_items.batch_id in (select input_figure.batch_id from input_figure where input_figure.figure = 'parked_count')
),
listed as (
    select input_figure.*, parked.parked_id, parked.line, parked.field, parked.reason, 1 as part
    from input_figure
    inner join parked on parked.batch_id = input_figure.batch_id
    where input_figure.figure = 'parked_count'
    union all
    -- The rest that has no item rows: other figures, items parked earlier from another file, and deleted items.
    select
        input_figure.*, null, null, null, null,
        input_figure.value - case when input_figure.figure = 'parked_count' then coalesce(kept.item_count, 0) else 0 end
    from input_figure
    left join (select parked.batch_id, count(*) as item_count from parked group by parked.batch_id) as kept
        on kept.batch_id = input_figure.batch_id
)
select
    listed.kind, listed.file_name, listed.sha256, listed.figure, listed.batch_id, listed.source,
    rfc3339(listed.known_at) as known_at, rfc3339(listed.newest_fact_at) as newest_fact_at, listed.parked_id, listed.line,
    listed.field, listed.reason, listed.part::text as value
from listed
where :'file_name'::text in ('', listed.named)
    and listed.part <> 0
order by
    listed.kind, listed.file_name collate "C", listed.sha256, listed.figure, listed.batch_id, listed.line, listed.parked_id;
