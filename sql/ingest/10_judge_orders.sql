-- purpose: compares each staged order with its newest version. The greatest updated_at wins; a row without one is dated by
--          the clock of its reading or latest repetition. Ties go to the row with the latest instant in it, then the most
--          advanced status, then the content hash. Equal content is a repeat. Of the rows of one order in the chunk only the
--          best is compared.
-- grain:   one row per staged row; outcome new, newer, repeated or older
insert into judged_order
with known as materialized (
    select distinct orders.order_id, orders.updated_at, orders.content_hash, orders.status, orders.stated_at
    from staged_order
    inner join payrecon.orders on orders.order_id = staged_order.order_id
),
known_newest as (
    select known.*, greatest(coalesce(known.stated_at, known.updated_at), repeated_order.stated_at) as counts_at
    from known
    left join repeated_order on repeated_order.order_id = known.order_id
)
select
    staged_order.*,
    case
        when row_number() over best_first > 1 then
            case when staged_order.content_hash = first_value(staged_order.content_hash) over best_first then 'repeated' else 'older' end
        when known_newest.order_id is null then 'new'
        when staged_order.content_hash = known_newest.content_hash then 'repeated'
        when (
            coalesce(staged_order.stated_at, staged_order.updated_at), staged_order.updated_at, order_stage(staged_order.status),
            staged_order.content_hash
        ) > (known_newest.counts_at, known_newest.updated_at, order_stage(known_newest.status), known_newest.content_hash)
            then 'newer'
        else 'older'
    end
from staged_order
left join known_newest on known_newest.order_id = staged_order.order_id
window best_first as (
    partition by staged_order.order_id
    order by
        coalesce(staged_order.stated_at, staged_order.updated_at) desc, staged_order.updated_at desc,
        order_stage(staged_order.status) desc, staged_order.content_hash desc, staged_order.stated_at nulls first
);
