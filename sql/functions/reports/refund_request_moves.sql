-- purpose: Returns customers' refund requests in Production by the months in which they were asked and decided.
-- grain:   one row per request and month: is_asked for the month of the request, else that of the decision; answer_figure is the
--          column that counts our answer
-- rules:   months are those of the app's time zone
create or replace function payrecon.refund_request_moves() returns table (
    period text, is_asked boolean, currency text, bundle_id text, product_id text, charge_id text, transaction_id text, reason text,
    asked_at timestamptz, answer text, decision text, answer_figure text
)
language sql stable parallel safe
as $$
    -- Whether Apple waits for an answer about a charge. A request that Apple repeated needs another one.
    with request_state as (
        select
            one.charge_id,
            bool_or(one.closed_at is null and one.requested_at + interval '12 hours' > payrecon.viewed_at()) as is_waiting,
            max(one.closed_at) as closed_at
        from payrecon.consumption_requests_at(payrecon.viewed_at(), '-infinity', null) as one
        group by one.charge_id
    )
    select
        to_char(side.at at time zone coalesce(app.zone, 'UTC'), 'YYYY-MM'), side.is_asked, coalesce(charges.currency, ''),
        request.bundle_id, charges.product_id, request.charge_id, charges.transaction_ids[1], request.reason, request.asked_at,
        request.answer, request.decision,
        case
            when request.decided_at is null and request_state.is_waiting then 'in_time_count'
            when request.answer = 'sent' then 'answered_count'
            when request.answer is not null then 'no_consent_count'
            -- A signed refund ends a request, too.
            when request.due_at <= coalesce(
                request.decided_at,
                case when request_state.closed_at >= request.asked_at then request_state.closed_at end, payrecon.viewed_at()
            ) then 'expired_count'
            else 'decided_first_count'
        end
    from payrecon.refund_requests_at(payrecon.viewed_at()) as request
    inner join charges using (original_transaction_id, charge_id)
    left join payrecon.viewed_apps() as app on app.bundle_id = request.bundle_id
    left join request_state on request_state.charge_id = request.charge_id
    cross join lateral (values (request.asked_at, true), (request.decided_at, false)) as side (at, is_asked)
    where request.environment = 'Production'
        and side.at is not null
$$;
