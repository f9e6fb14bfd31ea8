-- purpose: Returns Apple's notices about customers' refund requests, each with the purchase that it is about: requests for
--          consumption information, refunds and declined refunds.
-- parameters: clock: latest knowledge; since: earliest notice; chains: original transaction ids, null for all
-- grain:   one row per charge and notice
create or replace function payrecon.refund_notices_at(clock timestamptz, since timestamptz, chains text[])
returns table (
    type text, bundle_id text, environment text, signed_at timestamptz, consumption_reason text, charge_id text,
    original_transaction_id text, transaction_id text
)
language plpgsql stable parallel safe rows 1000
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
begin
    return query
    with later as materialized (
        select batches.batch_id from payrecon.batches where batches.known_at > clock
    ),
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
            evidence.charge_id, evidence.original_transaction_id, evidence.transaction_id
        from statement
        inner join payrecon.evidence_links on evidence_links.parent_sha256 = statement.evidence_sha256
        inner join payrecon.evidence as stated on stated.sha256 = evidence_links.sha256
        -- The transaction may have become genuine after it was read; only verdicts up to the clock count.
        left join lateral (
            select judgements.charge_id, judgements.original_transaction_id, judgements.transaction_id
            from payrecon.judgements
            where judgements.sha256 = stated.sha256
                and stated.verdict <> 'genuine'
                and judgements.batch_id not in (select later.batch_id from later)
            order by judgements.batch_id desc, judgements.chunk desc
            limit 1
        ) as latest on true
        cross join lateral (
            select
                coalesce(latest.charge_id, stated.charge_id) as charge_id,
                coalesce(latest.original_transaction_id, stated.original_transaction_id) as original_transaction_id,
                coalesce(latest.transaction_id, stated.transaction_id) as transaction_id
        ) as evidence
        where evidence.charge_id is not null
    )
    select distinct
        part.type, part.bundle_id, part.environment, part.signed_at, part.consumption_reason,
        coalesce(alias.charge_id, part.charge_id), part.original_transaction_id, part.transaction_id
    from part
    left join payrecon.charge_aliases_at(clock, array(select part.original_transaction_id from part)) as alias
        on alias.original_transaction_id = part.original_transaction_id
        and alias.stated_id = part.charge_id;
end
$$;

-- Returns the ends of requests for consumption information up to a clock: answers that people recorded, and those that payrecon
-- sent; body is the text that was sent. Nothing may be sent without the customer's consent, or has an effect after a refund, so
-- both end a request, too.
create or replace function payrecon.consumption_ends_at(clock timestamptz)
returns table (
    transaction_id text, bundle_id text, environment text, ended_at timestamptz, outcome text, body text
)
language sql stable parallel safe
as $$
    select
        answers.transaction_id, answers.bundle_id, answers.environment, answers.answered_at, answers.outcome, null
    from payrecon.consumption_answers as answers
    where answers.answered_at <= $1
    union all
    select ended.transaction_id, ended.bundle_id, ended.environment, ended.ended_at, ended.outcome, intents.body
    from payrecon.consumption_outcomes as ended
    left join payrecon.consumption_intents as intents using (transaction_id, bundle_id, environment, requested_at)
    where ended.ended_at <= $1
        and ended.outcome in ('sent', 'no_consent', 'refunded')
$$;
