-- purpose: compares each staged order with its newest version. The greatest updated_at wins; a row without one is dated by
--          the clock of its reading or latest repetition. Ties go to the newer mapping, then the latest instant in the row,
--          then the most advanced status, then the content hash. Equal content is a repeat. Of several rows of one order in
--          the chunk, only the best is compared. A newer mapping corrects the updated_at that an earlier one misread from
--          the same bytes, so its dated row wins even with a smaller updated_at.
-- grain:   one row per staged row; outcome new, newer, repeated or older; with app, environment and counted change of the known version
insert into judged_order
with known as materialized (
    select distinct
        orders.order_id, orders.updated_at, orders.content_hash, orders.status, orders.stated_at, orders.mapping_number, orders.batch_id,
        orders.bundle_id, orders.environment
    from staged_order
    inner join payrecon.orders on orders.order_id = staged_order.order_id
),
reading as materialized (
    select batches.content_sha256, batches.mapping_number
    from batches
    where batches.batch_id = (select min(staged_order.batch_id) from staged_order)
),
known_newest as (
    select
        known.*, greatest(coalesce(known.stated_at, known.updated_at), repeated_order.stated_at) as counts_at,
        known.mapping_number < reading.mapping_number
            and reading.content_sha256 <> ''
            and reading.content_sha256 = stating.content_sha256 as is_earlier_reading,
        -- Rows dated ahead of their reading count in no hour.
        case when known.updated_at <= stating.known_at + clock_margin() then known.updated_at else 'infinity' end as counted_at
    from known
    cross join reading
    inner join batches as stating on stating.batch_id = known.batch_id
    left join repeated_order on repeated_order.order_id = known.order_id
)
select
    staged_order.*,
    case
        when row_number() over best_first > 1 then
            case when staged_order.content_hash = first_value(staged_order.content_hash) over best_first then 'repeated' else 'older' end
        when known_newest.order_id is null then 'new'
        when staged_order.content_hash = known_newest.content_hash then 'repeated'
        when known_newest.is_earlier_reading and staged_order.stated_at is null then 'newer'
        when (
            coalesce(staged_order.stated_at, staged_order.updated_at), staged_order.mapping_number, staged_order.updated_at,
            order_stage(staged_order.status), staged_order.content_hash
        ) > (
            known_newest.counts_at, known_newest.mapping_number, known_newest.updated_at, order_stage(known_newest.status),
            known_newest.content_hash
        )
            then 'newer'
        else 'older'
    end,
    known_newest.bundle_id, known_newest.environment, known_newest.counted_at
from staged_order
left join known_newest on known_newest.order_id = staged_order.order_id
window best_first as (
    partition by staged_order.order_id
    order by
        coalesce(staged_order.stated_at, staged_order.updated_at) desc, staged_order.updated_at desc,
        order_stage(staged_order.status) desc, staged_order.content_hash desc, staged_order.stated_at nulls first
);
