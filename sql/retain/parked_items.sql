-- purpose: empties parked input that was retried or discarded before an instant; its position, reason, size and decision stay.
-- parameters: before (timestamptz): latest decision, row_max (bigint), is_dry_run (boolean): counts all and changes nothing
-- grain:   one row: table and rows
with decided as (
    select parked_outcomes.parked_id
    from parked_outcomes
    group by parked_outcomes.parked_id
    having max(parked_outcomes.decided_at) < :'before'::timestamptz
),
due as (
    select parked_items.parked_id
    from parked_items
    inner join decided on decided.parked_id = parked_items.parked_id
    where length(parked_items.raw) > 0
        or parked_items.header is not null
    order by parked_items.parked_id
    limit case when not :'is_dry_run'::boolean then :'row_max'::bigint end
),
emptied as (
    update parked_items
    set
        raw = ''::bytea,
        header = null
    from due
    where parked_items.parked_id = due.parked_id
        and not :'is_dry_run'::boolean
)
select 'parked_items' as name, count(*) as row_count
from due;
