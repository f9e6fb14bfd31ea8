-- purpose: the subject of a break, and its case.
-- parameters: break_id (text)
-- grain:   one row, or none
select
    newest.break_id, newest.class, newest.severity, newest.order_id, newest.charge_id, newest.user_id, newest.run_id,
    money_text(at_stake(newest.environment, newest.amount_milliunits), newest.currency) as at_stake,
    rfc3339(newest.opened_at) as opened_at, newest.detail,
    break_classes.runbook as what_to_do,
    case_id_of_break(newest.user_id, newest.order_id, newest.charge_id, newest.break_id) as case_id
from (
    select break_events.*
    from break_events
    where break_events.break_id = :'break_id'::text
    order by break_events.as_of desc, break_events.attempt desc
    limit 1
) as newest
inner join break_classes on break_classes.class = newest.class;
