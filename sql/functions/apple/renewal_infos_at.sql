-- purpose: Returns renewal infos with their app. An info that came alone names no app. It is assigned to the only app with a
--          subscription of its original transaction id in its environment, and to none if two apps have one.
-- parameters: clock: latest knowledge; chains: original transaction ids, null for all
-- grain:   one row per renewal info and app
create or replace function payrecon.renewal_infos_at(clock timestamptz, chains text[]) returns setof payrecon.renewal_infos
language plpgsql stable parallel safe rows 1000
set plan_cache_mode = force_custom_plan
as $$
begin
    return query
    with later as materialized (select batches.batch_id from payrecon.batches where batches.known_at > clock)
    select infos.*
    from payrecon.renewal_infos as infos
    where infos.bundle_id <> ''
        and (chains is null or infos.original_transaction_id = any(chains))
        and infos.batch_id not in (select later.batch_id from later);
    return query
    with later as materialized (select batches.batch_id from payrecon.batches where batches.known_at > clock),
    bare as materialized (
        select infos.*
        from payrecon.renewal_infos as infos
        where infos.bundle_id = ''
            and (chains is null or infos.original_transaction_id = any(chains))
            and infos.batch_id not in (select later.batch_id from later)
    ),
    bare_chain as materialized (select distinct bare.original_transaction_id from bare),
    -- The same info may also have been found in a notification.
    placed as materialized (
        select infos.original_transaction_id, infos.evidence_sha256, infos.batch_id
        from bare_chain
        inner join payrecon.renewal_infos as infos on infos.original_transaction_id = bare_chain.original_transaction_id
        where infos.bundle_id <> ''
    ),
    named_info as materialized (
        select transactions.original_transaction_id, transactions.environment, transactions.bundle_id, transactions.batch_id
        from bare_chain
        inner join payrecon.transactions on transactions.original_transaction_id = bare_chain.original_transaction_id
    ),
    sole as (
        select named_info.original_transaction_id, named_info.environment, min(named_info.bundle_id) as bundle_id
        from named_info
        where named_info.batch_id not in (select later.batch_id from later)
        group by named_info.original_transaction_id, named_info.environment
        having min(named_info.bundle_id) = max(named_info.bundle_id)
    )
    select
        bare.original_transaction_id, bare.evidence_sha256, bare.environment, bare.product_id, bare.auto_renew_product_id,
        bare.currency, bare.auto_renew_status, bare.expiration_intent, bare.price_increase_status,
        bare.renewal_price_milliunits, bare.batch_id, bare.is_in_billing_retry, bare.grace_expires_at, bare.renewal_at,
        bare.signed_at, sole.bundle_id
    from bare
    inner join sole using (original_transaction_id, environment)
    where bare.evidence_sha256 not in (
        select placed.evidence_sha256 from placed where placed.batch_id not in (select later.batch_id from later)
    );
end
$$;
