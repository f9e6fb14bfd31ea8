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
    with later as materialized (select batches.batch_id from payrecon.batches where batches.known_at > clock),
    statement as materialized (
        select
            notifications.type, notifications.bundle_id, notifications.environment, notifications.signed_at,
            notifications.consumption_reason, notifications.evidence_sha256
        from payrecon.notifications
        where notifications.type in ('CONSUMPTION_REQUEST', 'REFUND', 'REFUND_DECLINED')
            and notifications.signed_at <= clock
            and notifications.batch_id not in (select later.batch_id from later)
    ),
    part as materialized (
        select
            statement.type, statement.bundle_id, statement.environment, statement.signed_at, statement.consumption_reason,
            evidence_links.sha256
        from statement
        inner join payrecon.evidence_links on evidence_links.parent_sha256 = statement.evidence_sha256
    ),
    notice as materialized (
        select distinct
            part.type, part.bundle_id, part.environment, part.signed_at, part.consumption_reason, evidence.charge_id,
            evidence.original_transaction_id, evidence.transaction_id
        from part
        inner join payrecon.evidence on evidence.sha256 = part.sha256
        where evidence.charge_id is not null
    ),
    -- The first decision that is not older than each request.
    placed as materialized (
        select
            notice.*,
            min(notice.signed_at) filter (where notice.type <> 'CONSUMPTION_REQUEST') over (
                partition by notice.charge_id
                order by notice.signed_at, notice.type = 'CONSUMPTION_REQUEST' desc, notice.type
                rows between current row and unbounded following
            ) as decided_at
        from notice
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
    given as (
        select answers.transaction_id, answers.bundle_id, answers.environment, answers.answered_at, answers.outcome, null as body
        from payrecon.consumption_answers as answers
        where answers.answered_at <= clock
        union all
        select ended.transaction_id, ended.bundle_id, ended.environment, ended.ended_at, ended.outcome, intents.body
        from payrecon.consumption_outcomes as ended
        left join payrecon.consumption_intents as intents
            on intents.transaction_id = ended.transaction_id
            and intents.bundle_id = ended.bundle_id
            and intents.environment = ended.environment
            and intents.requested_at = ended.requested_at
        where ended.ended_at <= clock
            and ended.outcome in ('sent', 'no_consent')
    ),
    answered as (
        select distinct on (request.charge_id, request.asked_at)
            request.charge_id, request.asked_at, given.outcome, given.body
        from request
        inner join given
            on given.transaction_id = request.transaction_id
            and given.bundle_id = request.bundle_id
            and given.environment = request.environment
            and given.answered_at >= request.asked_at
            and given.answered_at <= coalesce(request.decided_at, 'infinity')
        order by request.charge_id, request.asked_at, given.outcome desc, given.answered_at desc
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
