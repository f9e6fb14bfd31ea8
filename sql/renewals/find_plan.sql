-- purpose: the business day to plan, and its frozen plan if there is one.
-- parameters: bundle_id, time_zone (text), day (text: YYYY-MM-DD, or empty for the local day after as_of), as_of (timestamptz)
-- grain:   one row: the day, whether it is over at as_of, its plan's member count (null: no plan)
with wanted as (
    select
        coalesce(
            nullif(:'day'::text, '')::date, (:'as_of'::timestamptz at time zone :'time_zone'::text)::date + 1
        ) as due_day
)
select
    to_char(wanted.due_day, 'YYYY-MM-DD') as due_day,
    ((wanted.due_day + 1)::timestamp at time zone :'time_zone'::text) <= :'as_of'::timestamptz as is_over,
    renewal_plans.member_count
from wanted
left join renewal_plans
    on renewal_plans.bundle_id = :'bundle_id'::text
    and renewal_plans.due_day = wanted.due_day;
