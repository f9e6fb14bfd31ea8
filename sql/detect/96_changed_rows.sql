-- purpose: the events that a run appends, for a dry run to show.
-- parameters: as_of (timestamptz), row_max (bigint)
-- grain:   one row per event
select break_id, class, is_open, order_id, charge_id, detail
from break_events
where as_of = :'as_of'::timestamptz
    and not exists (
        select
        from detect_latest
        where detect_latest.break_id = break_events.break_id
            and detect_latest.as_of = break_events.as_of
            and detect_latest.attempt = break_events.attempt
    )
order by class, break_id
limit :'row_max'::bigint;
