-- purpose: Returns the facts of orders and of Apple's evidence since an instant and up to a clock, as known at that clock; of all
--          environments or of Production alone. Hours count whole, and an order counts in the hour of its newest row, so sums
--          depend neither on the order of batches nor on the rows in each.
-- grain:   one row per batch, hour, app and environment
-- note:    a comparison of the kind states collate "C", which results of functions lack, so that the index of hours serves it.
create or replace function payrecon.input_facts_at(since timestamptz, clock timestamptz, only_production boolean) returns table (
    kind text, bundle_id text, environment text, fact_hour timestamptz, newest_fact_at timestamptz, row_count bigint, known_at timestamptz
)
language sql stable parallel safe
as $$
    select
        hours.kind, hours.bundle_id, hours.environment, hours.fact_hour, hours.newest_fact_at,
        hours.row_count - hours.replaced_count, batches.known_at
    from payrecon.input_hours as hours
    inner join payrecon.batches on batches.batch_id = hours.batch_id
    where hours.fact_hour > since - interval '1 hour'
        and hours.fact_hour <= clock
        and batches.known_at <= clock
        and (hours.environment = 'Production' or not only_production)
$$;

-- Returns whether the rows of a kind of input have an instant. Of other kinds, the clock of their reading counts.
create or replace function payrecon.is_dated_input(kind text) returns boolean
language sql immutable parallel safe
return kind in ('orders', 'apple');

-- Returns the number of rows of one kind of input in a span up to a clock.
create or replace function payrecon.input_count(kind text, span interval, clock timestamptz, only_production boolean) returns bigint
language sql stable parallel safe
as $$
    select coalesce(sum(counted.row_count), 0)::bigint
    from (
        select fact.row_count
        from payrecon.input_facts_at(clock - span, clock, only_production) as fact
        where fact.kind = input_count.kind collate "C"
        union all
        select batches.accepted_count
        from payrecon.batches
        where not payrecon.is_dated_input(input_count.kind)
            and batches.kind = input_count.kind
            and batches.known_at between clock - span and clock
    ) as counted
$$;
