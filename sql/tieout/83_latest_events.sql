-- purpose: the newest event of every break that this tie-out found, or that is open from a tie-out of the same period and
--          resolves if not found again. A charge belongs to the period of its day.
-- planner: set local enable_nestloop = on
-- grain:   one row per break
create temp table detect_latest on commit drop as
with open_charge as materialized (
    select open_breaks.break_id, substr(open_breaks.subject_id, 8) as charge_id
    from open_breaks
    where open_breaks.subject_id like 'charge:%'
)
select distinct on (break_events.break_id) break_events.*, true as is_asked
from (
    select break_id from detect_judged
    union
    select open_breaks.break_id
    from open_breaks
    cross join tie_run
    where split_part(open_breaks.subject_id, ':', 1) in ('cell', 'payment', 'commission')
        and split_part(open_breaks.subject_id, ':', 2) = tie_run.fiscal_period
    union
    select open_charge.break_id
    from open_charge
    cross join tie_run
    inner join charges on charges.charge_id = open_charge.charge_id
    inner join tie_offset on tie_offset.storefront = coalesce(charges.storefront, '')
    where (charges.purchased_at at time zone tie_offset.zone)::date
            between tie_run.starts_on and tie_run.ends_on
) as looked_at
inner join break_events on break_events.break_id = looked_at.break_id
where break_events.family = 'tieout'
order by break_events.break_id, break_events.as_of desc, break_events.attempt desc;
