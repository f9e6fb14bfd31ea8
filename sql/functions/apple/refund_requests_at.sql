-- purpose: Returns customers' refund requests as Apple reported them, each with our answer and Apple's decision. Requests about
--          one charge that Apple repeated before its decision are one.
-- parameters: clock: latest knowledge
-- grain:   one row per charge and request that was decided on its own
-- note:    answer is sent or no_consent; preference is the one that was sent; decision is granted or declined. null is none yet.
create or replace function payrecon.refund_requests_at(clock timestamptz)
returns table (
    bundle_id text, environment text, original_transaction_id text, charge_id text, reason text, asked_at timestamptz,
    due_at timestamptz, answer text, preference text, decision text, decided_at timestamptz
)
language plpgsql stable parallel safe rows 1000
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
begin
    return query
    -- The first decision that is not older than each request.
    with placed as materialized (
        select
            notice.*,
            min(notice.signed_at) filter (where notice.type <> 'CONSUMPTION_REQUEST') over (
                partition by notice.charge_id
                order by notice.signed_at, notice.type = 'CONSUMPTION_REQUEST' desc, notice.type
                rows between current row and unbounded following
            ) as decided_at
        from payrecon.refund_notices_at(clock, '-infinity', null) as notice
    ),
    request as materialized (
        select
            placed.charge_id, placed.decided_at, min(placed.original_transaction_id) as original_transaction_id,
            min(placed.transaction_id) as transaction_id, min(placed.bundle_id) as bundle_id,
            min(placed.environment) as environment, min(placed.signed_at) as asked_at, max(placed.signed_at) as last_asked_at,
            (array_agg(placed.consumption_reason order by placed.signed_at desc, placed.consumption_reason))[1] as reason
        from placed
        where placed.type = 'CONSUMPTION_REQUEST'
        group by placed.charge_id, placed.decided_at
    ),
    decision as (
        select placed.charge_id, placed.signed_at, min(placed.type) as type
        from placed
        where placed.type <> 'CONSUMPTION_REQUEST'
        group by placed.charge_id, placed.signed_at
    ),
    answered as (
        select distinct on (request.charge_id, request.asked_at)
            request.charge_id, request.asked_at, ended.outcome, ended.body
        from request
        inner join payrecon.consumption_ends_at(clock) as ended using (transaction_id, bundle_id, environment)
        where ended.outcome in ('sent', 'no_consent')
            and ended.ended_at >= request.asked_at
            and ended.ended_at <= coalesce(request.decided_at, 'infinity')
        order by request.charge_id, request.asked_at, ended.outcome desc, ended.ended_at desc
    )
    select
        request.bundle_id, request.environment, request.original_transaction_id, request.charge_id, request.reason,
        request.asked_at, request.last_asked_at + interval '12 hours', answered.outcome,
        answered.body::json ->> 'refundPreference',
        case decision.type when 'REFUND' then 'granted' when 'REFUND_DECLINED' then 'declined' end, request.decided_at
    from request
    left join decision
        on decision.charge_id = request.charge_id
        and decision.signed_at = request.decided_at
    left join answered
        on answered.charge_id = request.charge_id
        and answered.asked_at = request.asked_at;
end
$$;
