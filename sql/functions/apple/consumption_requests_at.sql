-- purpose: Returns Apple's requests for consumption information, each with the instant of our answer or of Apple's decision,
--          whichever closed it.
-- parameters: clock: latest knowledge; since: earliest request; chains: original transaction ids, null for all
-- grain:   one row per charge and request
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
    -- Without a request, the refunds since then need not be read.
    if not exists (
        select 1
        from payrecon.notifications
        where notifications.type = 'CONSUMPTION_REQUEST'
            and notifications.signed_at >= since
            and (chains is null or notifications.original_transaction_id = any(chains))
    ) then
        return;
    end if;
    return query
    with notice as materialized (
        select * from payrecon.refund_notices_at(clock, since, chains) as known
    ),
    decision as (
        select notice.charge_id, max(notice.signed_at) as decided_at
        from notice
        where notice.type <> 'CONSUMPTION_REQUEST'
        group by notice.charge_id
    ),
    answer as materialized (
        select ended.transaction_id, ended.bundle_id, ended.environment, max(ended.ended_at) as answered_at
        from payrecon.consumption_ends_at(clock) as ended
        group by ended.transaction_id, ended.bundle_id, ended.environment
    )
    select
        notice.bundle_id, notice.environment, notice.original_transaction_id, notice.charge_id, notice.transaction_id,
        notice.signed_at, case when closing.closed_at >= notice.signed_at then closing.closed_at end, notice.consumption_reason
    from notice
    left join decision on decision.charge_id = notice.charge_id
    left join answer using (transaction_id, bundle_id, environment)
    cross join lateral (select greatest(decision.decided_at, answer.answered_at) as closed_at) as closing
    where notice.type = 'CONSUMPTION_REQUEST';
end
$$;
