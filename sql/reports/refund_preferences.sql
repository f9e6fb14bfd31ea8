-- purpose: our preferences for refund requests in Production, compared with Apple's decisions.
-- grain:   one row per customer's reason and preference
with request as (
    select
        coalesce(asked.reason, '') as request_reason,
        case when asked.answer = 'sent' then coalesce(asked.preference, 'none') else 'not_sent' end as preference, asked.decision
    from refund_requests_at(viewed_at()) as asked
    where asked.environment = 'Production'
)
select
    request.request_reason, request.preference, count(*) as asked_count,
    count(*) filter (where request.decision = 'granted') as granted_count,
    count(*) filter (where request.decision = 'declined') as declined_count,
    count(*) filter (where request.decision is null) as undecided_count
from request
group by request.request_reason, request.preference
order by request.request_reason collate "C", request.preference collate "C";
