-- purpose: the batch that already read this content by this mapping, whole or in part, including its continuation batches.
--          There is none if another mapping read the content later.
-- parameters: kind, content_sha256, mapping_sha256 (text)
-- grain:   at most one row; a finished input is preferred over an open one
select
    coalesce(first_batch_id, batch_id) as batch_id,
    case when bool_and(state = 'done') then 'done' else 'open' end as state,
    sum(items_done)::bigint as items_done,
    sum(input_count)::bigint as input_count,
    sum(accepted_count)::bigint as accepted_count,
    sum(repeated_count)::bigint as repeated_count,
    sum(ignored_count)::bigint as ignored_count,
    sum(parked_count)::bigint as parked_count
from batches
where kind = :'kind'::text
    and content_sha256 = :'content_sha256'::text
    and mapping_sha256 = :'mapping_sha256'::text
    and mapping_number = (
        select max(latest.mapping_number)
        from batches as latest
        where latest.kind = :'kind'::text
            and latest.content_sha256 = :'content_sha256'::text
    )
group by coalesce(first_batch_id, batch_id)
order by 2, 1
limit 1;
