-- purpose: the ageing matrix: undecided breaks of each class by age, with how the class moved in the 24 hours before as_of;
--          closing is what is open, undecided and decided, and its amount what is at stake, undecided.
-- parameters: as_of (timestamptz)
-- grain:   one row per class x currency (null for breaks without money); Sandbox breaks are counted, never valued
with latest as (
    select distinct on (break_id)
        break_id, class, is_open, currency, opened_at,
        case when environment = 'Production' then amount_milliunits end as amount_milliunits
    from break_events
    where as_of <= :'as_of'::timestamptz
    order by break_id asc, as_of desc, attempt desc
),
-- A break whose class or currency changed leaves one row and enters another.
step as (
    select
        break_id, as_of, class, coalesce(currency, '') as currency, is_open,
        lag(class) over line as former_class,
        lag(coalesce(currency, '')) over line as former_currency,
        coalesce(lag(is_open) over line, false) as was_open
    from (
        select distinct on (break_id, as_of) break_id, as_of, class, currency, is_open
        from break_events
        where as_of <= :'as_of'::timestamptz
        order by break_id asc, as_of asc, attempt desc
    ) as collapsed
    window line as (partition by break_id order by as_of)
),
decided as materialized (
    select break_id from decided_breaks_at(:'as_of'::timestamptz) where ended_at is null
),
aged as (
    select
        latest.break_id, class, coalesce(currency, '') as currency, opened_at, amount_milliunits,
        case
            when :'as_of'::timestamptz - opened_at < interval '2 days' then 1
            when :'as_of'::timestamptz - opened_at < interval '8 days' then 2
            when :'as_of'::timestamptz - opened_at < interval '31 days' then 3
            when :'as_of'::timestamptz - opened_at < interval '61 days' then 4
            else 5
        end as bucket,
        decided.break_id is not null as is_decided
    from latest
    left join decided on decided.break_id = latest.break_id
    where is_open
),
closing as (
    select
        class, currency, count(*) as closing_count, count(*) filter (where not is_decided) as undecided_count,
        sum(amount_milliunits) filter (where not is_decided) as closing_amount,
        count(*) filter (where is_decided) as decided_count,
        sum(amount_milliunits) filter (where is_decided) as decided_amount,
        count(*) filter (where bucket = 1 and not is_decided) as count_1,
        sum(amount_milliunits) filter (where bucket = 1 and not is_decided) as amount_1,
        count(*) filter (where bucket = 2 and not is_decided) as count_2,
        sum(amount_milliunits) filter (where bucket = 2 and not is_decided) as amount_2,
        count(*) filter (where bucket = 3 and not is_decided) as count_3,
        sum(amount_milliunits) filter (where bucket = 3 and not is_decided) as amount_3,
        count(*) filter (where bucket = 4 and not is_decided) as count_4,
        sum(amount_milliunits) filter (where bucket = 4 and not is_decided) as amount_4,
        count(*) filter (where bucket = 5 and not is_decided) as count_5,
        sum(amount_milliunits) filter (where bucket = 5 and not is_decided) as amount_5,
        (array_agg(break_id order by opened_at, break_id) filter (where not is_decided))[1] as oldest_id,
        min(opened_at) filter (where not is_decided) as oldest_at
    from aged
    group by class, currency
),
moved as (
    select
        class, currency, sum(opening_count) as opening_count, sum(new_count) as new_count,
        sum(resolved_count) as resolved_count
    from (
        select class, currency, count(*) as opening_count, 0 as new_count, 0 as resolved_count
        from (
            select distinct on (break_id) *
            from step
            where as_of <= :'as_of'::timestamptz - interval '1 day'
            order by break_id asc, as_of desc
        ) as yesterday
        where is_open
        group by class, currency
        union all
        select class, currency, 0, count(*), 0
        from step
        where as_of > :'as_of'::timestamptz - interval '1 day'
            and is_open
            and (not was_open or class <> former_class or currency <> former_currency)
        group by class, currency
        union all
        select former_class, former_currency, 0, 0, count(*)
        from step
        where as_of > :'as_of'::timestamptz - interval '1 day'
            and was_open
            and (not is_open or class <> former_class or currency <> former_currency)
        group by former_class, former_currency
        union all
        select class, currency, 0, 0, 0
        from closing
    ) as part
    group by class, currency
)
select
    moved.class,
    break_classes.severity,
    break_classes.owner_team,
    nullif(moved.currency, '') as currency,
    coalesce(closing.count_1, 0) as count_0_1, coalesce(closing.amount_1, 0) as amount_0_1_milliunits,
    coalesce(closing.count_2, 0) as count_2_7, coalesce(closing.amount_2, 0) as amount_2_7_milliunits,
    coalesce(closing.count_3, 0) as count_8_30, coalesce(closing.amount_3, 0) as amount_8_30_milliunits,
    coalesce(closing.count_4, 0) as count_31_60, coalesce(closing.amount_4, 0) as amount_31_60_milliunits,
    coalesce(closing.count_5, 0) as count_over_60, coalesce(closing.amount_5, 0) as amount_over_60_milliunits,
    moved.opening_count::bigint as opening_count,
    moved.new_count::bigint as new_count,
    moved.resolved_count::bigint as resolved_count,
    coalesce(closing.closing_count, 0) as closing_count,
    coalesce(closing.closing_amount, 0) as closing_amount_milliunits,
    closing.oldest_id,
    to_char(closing.oldest_at at time zone 'UTC', 'YYYY-MM-DD') as oldest_opened_on,
    coalesce(closing.undecided_count, 0) as undecided_count,
    coalesce(closing.decided_count, 0) as decided_count,
    coalesce(closing.decided_amount, 0)::bigint as decided_amount_milliunits
from moved
inner join break_classes on break_classes.class = moved.class
left join closing on closing.class = moved.class and closing.currency = moved.currency
order by
    array_position(array['critical', 'high', 'medium', 'low'], break_classes.severity), moved.class, moved.currency;
