-- purpose: the events that a run would append about breaks and signals, for a dry run.
-- parameters: row_max (bigint)
-- grain:   one row per event
select event.id, event.name, event.state, event.change, event.subject, event.order_id, event.charge_id, english(event.detail)
from (
    select
        break_id as id, class as name, '' as state, case when is_open then 'open' else 'resolved' end as change,
        subject_id as subject, order_id, charge_id, detail
    from detect_changed
    union all
    select
        signal_id, rule, state, case when is_open then 'open' else 'lapsed' end, subject_kind || ':' || subject_id, order_id,
        charge_id, detail
    from rule_changed
) as event
order by event.name, event.id
limit :'row_max'::bigint;
