-- purpose: closes a plan; its day then has a frozen cohort, which may be empty.
-- parameters: bundle_id, time_zone, day, run_id (text), as_of (timestamptz)
-- grain:   one row with the counts of the plan
with frozen as (
    insert into renewal_plans (bundle_id, due_day, time_zone, plan_run_id, member_count, day_from, day_to, frozen_at)
    select
        :'bundle_id'::text, :'day'::text::date, :'time_zone'::text, :'run_id'::text,
        (
            select count(*)
            from renewal_plan_members
            where bundle_id = :'bundle_id'::text
                and due_day = :'day'::text::date
        ),
        :'day'::text::date::timestamp at time zone :'time_zone'::text,
        (:'day'::text::date + 1)::timestamp at time zone :'time_zone'::text,
        :'as_of'::timestamptz
    returning member_count
)
select
    frozen.member_count,
    (
        select coalesce(sum(forecast_count), 0)::bigint
        from renewal_forecasts
        where bundle_id = :'bundle_id'::text
            and due_day = :'day'::text::date
    ) as forecast_count
from frozen;
