-- purpose: Returns charges with money that were first known in the 24 hours before the report's clock and belong to days
--          before the last.
-- grain:   one row per charge
-- note:    a custom plan, because the batches of these hours may be few rows of many or the whole table.
create or replace function payrecon.late_charges() returns table (
    charge_id text, bundle_id text, environment text, currency text, local_day date, business_day date, price_milliunits bigint
)
language plpgsql stable parallel safe
set plan_cache_mode = force_custom_plan
set enable_nestloop = on
set enable_mergejoin = on
set enable_sort = on
as $$
#variable_conflict use_column
declare
    recent bigint[] := array(
        select batches.batch_id
        from payrecon.batches
        where batches.known_at > payrecon.viewed_at() - interval '1 day'
            and batches.known_at <= payrecon.viewed_at()
    );
    later bigint[] := array(select batches.batch_id from payrecon.batches where batches.known_at > payrecon.viewed_at());
begin
    if cardinality(recent) = 0 then
        return;
    end if;
    return query
    select
        charge.charge_id, charge.bundle_id, charge.environment, charge.currency, charge.local_day, charge.business_day,
        charge.price_milliunits
    from (
        select transactions.original_transaction_id, transactions.charge_id
        from transactions
        where transactions.batch_id = any(recent)
            and not exists (
                select 1
                from transactions as earlier
                where earlier.original_transaction_id = transactions.original_transaction_id
                    and earlier.charge_id = transactions.charge_id
                    and earlier.batch_id <> all(recent || later)
            )
        group by transactions.original_transaction_id, transactions.charge_id
    ) as fresh
    inner join payrecon.dated_charges() as charge using (original_transaction_id, charge_id)
    where charge.kind = 'money'
        and charge.local_day < charge.business_day;
end
$$;
