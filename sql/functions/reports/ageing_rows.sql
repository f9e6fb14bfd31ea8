-- purpose: Returns the rows that the ageing of breaks aggregates: each open break with its age, and each event of a break in
--          the 24 hours before the clock.
-- grain:   one row per measure and break, or event of a break; sandbox breaks are counted, never valued
create or replace function payrecon.ageing_rows() returns table (
    measure text, class text, currency text, break_id text, opened_at timestamptz, bucket integer, amount bigint
)
language sql stable parallel safe
as $$
    with decided as materialized (
        select entry.break_id from payrecon.decided_breaks_at(payrecon.viewed_at()) as entry where entry.ended_at is null
    ),
    -- A break with a new class or currency leaves one row and enters another.
    step as (
        select
            event.break_id, event.as_of, event.class, coalesce(event.currency, '') as currency, event.is_open, event.opened_at,
            lag(event.class) over line as former_class, lag(coalesce(event.currency, '')) over line as former_currency,
            coalesce(lag(event.is_open) over line, false) as was_open
        from payrecon.viewed_break_events() as event
        window line as (partition by event.break_id order by event.as_of)
    )
    select
        -- Looked up instead of joined, because the planner underestimates the number of breaks of a class.
        case when open_break.break_id in (select decided.break_id from decided) then 'decided' else 'undecided' end,
        open_break.class, coalesce(open_break.currency, ''), open_break.break_id, open_break.opened_at,
        array_position(
            array['0-1', '2-7', '8-30', '31-60', '>60'], payrecon.age_bucket(payrecon.viewed_at(), open_break.opened_at)
        ),
        payrecon.at_stake(open_break.environment, open_break.amount_milliunits)
    from open_break_events as open_break
    union all
    select 'opening', yesterday.class, yesterday.currency, yesterday.break_id, yesterday.opened_at, null, null
    from (
        select distinct on (step.break_id) step.*
        from step
        where step.as_of <= (select payrecon.viewed_at()) - interval '1 day'
        order by step.break_id asc, step.as_of desc
    ) as yesterday
    where yesterday.is_open
    union all
    select movement.measure, movement.class, movement.currency, step.break_id, step.opened_at, null, null
    from step
    cross join lateral (values
        ('new', step.class, step.currency, step.is_open), ('resolved', step.former_class, step.former_currency, step.was_open)
    ) as movement (measure, class, currency, is_counted)
    where step.as_of > (select payrecon.viewed_at()) - interval '1 day'
        and movement.is_counted
        and (step.is_open <> step.was_open or step.class <> step.former_class or step.currency <> step.former_currency)
$$;

-- The measures of ageing_rows() in each figure; bucket 0 covers all ages.
create or replace view payrecon.ageing_figures with (security_invoker = true) as
select entry.figure, entry.measure, entry.bucket, entry.is_money
from (values
    ('count_0_1', 'undecided', 1, false), ('amount_0_1_milliunits', 'undecided', 1, true),
    ('count_2_7', 'undecided', 2, false), ('amount_2_7_milliunits', 'undecided', 2, true),
    ('count_8_30', 'undecided', 3, false), ('amount_8_30_milliunits', 'undecided', 3, true),
    ('count_31_60', 'undecided', 4, false), ('amount_31_60_milliunits', 'undecided', 4, true),
    ('count_over_60', 'undecided', 5, false), ('amount_over_60_milliunits', 'undecided', 5, true),
    ('opening_count', 'opening', 0, false), ('new_count', 'new', 0, false), ('resolved_count', 'resolved', 0, false),
    ('closing_count', 'undecided', 0, false), ('closing_count', 'decided', 0, false),
    ('closing_amount_milliunits', 'undecided', 0, true), ('undecided_count', 'undecided', 0, false),
    ('decided_count', 'decided', 0, false), ('decided_amount_milliunits', 'decided', 0, true)
) as entry (figure, measure, bucket, is_money);
