-- purpose: lists every case as one to be gathered, with the breaks and signals that were ever found of it; what was found of
--          another since, its own case has. A case may be of nothing but what people said.
-- parameters: as_of (timestamptz)
-- grain:   one row per case and break or signal
with found as materialized (
    select distinct
        case_id_of_break(
            break_events.user_id, break_events.order_id, break_events.charge_id, break_events.break_id
        ) as case_id,
        break_events.break_id as item_id
    from break_events
    where break_events.as_of <= :'as_of'::timestamptz
    union all
    select distinct
        case_id_of(
            case when signal_events.user_id is null then signal_events.subject_kind else 'user' end,
            coalesce(signal_events.user_id, signal_events.subject_id)
        ),
        signal_events.signal_id
    from signal_events
    where signal_events.as_of <= :'as_of'::timestamptz
),
said as (
    select distinct case_decisions.case_id
    from case_decisions
    where case_decisions.at <= :'as_of'::timestamptz
)
insert into console_changed (case_id, item_id, at)
select found.case_id, found.item_id, :'as_of'::timestamptz
from found
union all
select said.case_id, null, :'as_of'::timestamptz
from said
where said.case_id not in (select found.case_id from found);
