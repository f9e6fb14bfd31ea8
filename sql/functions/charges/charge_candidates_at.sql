-- purpose: Returns the possible charges of periods that were reported without their line item: those with a line item and
--          the same transaction id, or the same product and purchase instant. The first in content order is chosen, whatever
--          the order of arrival.
-- parameters: clock: latest knowledge; chains: original transaction ids; null for all, found by the partial index of such
--             rows, which are few
-- grain:   one row per charge id under which a period was reported without line item, and per charge with one
create or replace function payrecon.charge_candidates_at(clock timestamptz, chains text[])
returns table (original_transaction_id text, stated_id text, charge_id text, is_chosen boolean)
language plpgsql stable parallel safe rows 10
-- Looks up few keys of a large table.
set plan_cache_mode = force_custom_plan
set enable_nestloop = on
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
    wanted text[] := chains;
begin
    if wanted is null then
        wanted := array(
            select distinct bare.original_transaction_id
            from payrecon.transactions as bare
            where bare.web_order_line_item_id is null and payrecon.is_subscription_period(bare.type, bare.expires_at)
        );
    end if;
    return query
    select
        bare.original_transaction_id, bare.charge_id, whole.charge_id,
        row_number() over (
            partition by bare.original_transaction_id, bare.charge_id
            order by
                bool_or(whole.transaction_id = bare.transaction_id) desc,
                bool_or(date_trunc('second', whole.purchased_at) = date_trunc('second', bare.purchased_at)) desc,
                whole.charge_id
        ) = 1
    from payrecon.transactions as bare
    inner join payrecon.transactions as whole
        on whole.original_transaction_id = bare.original_transaction_id
        and whole.bundle_id = bare.bundle_id
        and whole.environment = bare.environment
    where bare.web_order_line_item_id is null and payrecon.is_subscription_period(bare.type, bare.expires_at)
        and whole.web_order_line_item_id is not null
        and whole.charge_id <> bare.charge_id
        and bare.original_transaction_id = any(wanted)
        and whole.original_transaction_id = any(wanted)
        and (
            whole.transaction_id = bare.transaction_id
            or (
                whole.product_id = bare.product_id
                and date_trunc('second', whole.purchased_at) = date_trunc('second', bare.purchased_at)
            )
        )
        and bare.batch_id not in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
        and whole.batch_id not in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
    group by bare.original_transaction_id, bare.charge_id, whole.charge_id;
end
$$;
