-- purpose: Returns Apple's requests for consumption information, each with the instant of our answer or of Apple's decision,
--          whichever closed it.
-- parameters: clock: latest knowledge; since: earliest request; chains: original transaction ids, null for all
-- grain:   one row per charge and request
-- note:    answers are those that people recorded and those that payrecon sent. Without the customer's consent nothing may be
--          sent, so its absence closes a request, too.
create or replace function payrecon.consumption_requests_at(clock timestamptz, since timestamptz, chains text[])
returns table (
    bundle_id text, environment text, original_transaction_id text, charge_id text, transaction_id text, requested_at timestamptz,
    closed_at timestamptz, reason text
)
language plpgsql stable parallel safe rows 100
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
begin
    return query
    with later as materialized (select batches.batch_id from payrecon.batches where batches.known_at > clock),
    statement as materialized (
        select
            notifications.type, notifications.bundle_id, notifications.environment, notifications.signed_at,
            notifications.evidence_sha256, notifications.consumption_reason
        from payrecon.notifications
        where notifications.type in ('CONSUMPTION_REQUEST', 'REFUND', 'REFUND_DECLINED')
            and notifications.signed_at >= since
            and notifications.signed_at <= clock
            and notifications.batch_id not in (select later.batch_id from later)
            and (chains is null or notifications.original_transaction_id = any(chains))
    ),
    part as materialized (
        select
            statement.type, statement.bundle_id, statement.environment, statement.signed_at, statement.consumption_reason,
            evidence_links.sha256
        from statement
        inner join payrecon.evidence_links on evidence_links.parent_sha256 = statement.evidence_sha256
    ),
    notice as materialized (
        select
            part.type, part.bundle_id, part.environment, part.signed_at, part.consumption_reason, evidence.charge_id,
            evidence.original_transaction_id, evidence.transaction_id
        from part
        inner join payrecon.evidence on evidence.sha256 = part.sha256
        where evidence.charge_id is not null
    ),
    decision as (
        select notice.charge_id, max(notice.signed_at) as decided_at
        from notice
        where notice.type <> 'CONSUMPTION_REQUEST'
        group by notice.charge_id
    ),
    answer as materialized (
        select given.transaction_id, given.bundle_id, given.environment, max(given.answered_at) as answered_at
        from (
            select answers.transaction_id, answers.bundle_id, answers.environment, answers.answered_at
            from payrecon.consumption_answers as answers
            union all
            select ended.transaction_id, ended.bundle_id, ended.environment, ended.ended_at
            from payrecon.consumption_outcomes as ended
            where ended.outcome in ('sent', 'no_consent')
        ) as given
        where given.answered_at <= clock
        group by given.transaction_id, given.bundle_id, given.environment
    ),
    closing as (
        select
            notice.bundle_id, notice.environment, notice.original_transaction_id, notice.charge_id, notice.transaction_id,
            notice.signed_at, notice.consumption_reason, greatest(decision.decided_at, answer.answered_at) as closed_at
        from notice
        left join decision on decision.charge_id = notice.charge_id
        left join answer
            on answer.transaction_id = notice.transaction_id
            and answer.bundle_id = notice.bundle_id
            and answer.environment = notice.environment
        where notice.type = 'CONSUMPTION_REQUEST'
    )
    select
        closing.bundle_id, closing.environment, closing.original_transaction_id, closing.charge_id, closing.transaction_id,
        closing.signed_at, case when closing.closed_at >= closing.signed_at then closing.closed_at end,
        closing.consumption_reason
    from closing;
end
$$;
