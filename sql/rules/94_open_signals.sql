-- purpose: the number of open signals by state; a live signal that a reviewer handled and that has not become stronger since
--          is decided.
-- parameters: as_of (timestamptz)
-- grain:   one row per state that occurs
with closing as materialized (
    select * from closings_at(:'as_of'::timestamptz)
),
decided_signal as (
    select listed.signal_id, listed.raised_at, max(closing.at) as at
    from (
        select
            event.signal_id, event.raised_at, event.order_id, event.charge_id,
            case_id_of_signal(event.user_id, event.subject_kind, event.subject_id) as case_id
        from open_signal_events as event
        where event.state = 'live'
            and exists (select 1 from closing)
    ) as listed
    inner join closing on closing.case_id = listed.case_id
    where closing.scope = 'case'
        or listed.order_id = closing.order_id
        or listed.charge_id = closing.charge_id
    group by listed.signal_id, listed.raised_at
),
decided as (
    select decided_signal.signal_id
    from decided_signal
    inner join signal_events as event
        on event.signal_id = decided_signal.signal_id
        and event.raised_at = decided_signal.raised_at
        and event.state = 'live'
        and event.as_of <= :'as_of'::timestamptz
    group by decided_signal.signal_id, decided_signal.at
    having max(event.score) filter (where event.as_of <= decided_signal.at)
        >= coalesce(max(event.score) filter (where event.as_of > decided_signal.at), 0)
)
select case when decided.signal_id is null then open_signals.state else 'decided' end as state, count(*) as signal_count
from open_signals
left join decided on decided.signal_id = open_signals.signal_id
group by 1
order by 1;
