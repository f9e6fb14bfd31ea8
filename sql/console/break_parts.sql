-- purpose: what a break is about, and the case that gathers it.
-- parameters: break_id (text)
-- grain:   one row, or none
select
    newest.break_id, newest.class, newest.severity, newest.order_id, newest.charge_id, newest.user_id, newest.run_id,
    money_text(newest.amount_milliunits, newest.currency) as at_stake, rfc3339(newest.opened_at) as opened_at, newest.detail,
    break_classes.runbook as what_to_do,
    left(
        encode(
            sha256(
                convert_to(
                    case
                        when newest.user_id is not null then 'user|' || newest.user_id
                        when newest.order_id is not null then 'order|' || newest.order_id
                        when newest.charge_id is not null then 'charge|' || newest.charge_id
                        else 'break|' || newest.break_id
                    end, 'UTF8'
                )
            ),
            'hex'
        ),
        32
    ) as case_id
from (
    select break_events.*
    from break_events
    where break_events.break_id = :'break_id'::text
    order by break_events.as_of desc, break_events.attempt desc
    limit 1
) as newest
inner join break_classes on break_classes.class = newest.class;
