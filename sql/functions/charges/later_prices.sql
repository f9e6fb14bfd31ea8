-- purpose: Returns when the price of a charge was first known, for charges whose first batch may not be the earliest with a price.
--          Table names are unqualified, so that it reads the present or the transaction's past clock.
-- rules:   a period that was first reported without its line item is known since that report.
-- grain:   one row per Production charge of a chain that has one of these: a statement without price; a period reported without
--          its line item; a batch with an earlier clock than a batch before it
create or replace function payrecon.later_prices() returns table (original_transaction_id text, charge_id text, known_at timestamptz)
language sql stable parallel safe
as $$
    with numbered as (
        select
            batches.batch_id, batches.known_at,
            max(batches.known_at) over (order by batches.batch_id rows between unbounded preceding and 1 preceding) as latest_before
        from batches
    ),
    chain as (
        select distinct transactions.original_transaction_id, transactions.bundle_id
        from transactions
        where transactions.environment = 'Production'
            and (
                transactions.price_milliunits is null
                or (
                    transactions.web_order_line_item_id is null
                    and payrecon.is_subscription_period(transactions.type, transactions.expires_at)
                )
                or transactions.batch_id in (select numbered.batch_id from numbered where numbered.known_at < numbered.latest_before)
            )
    )
    select
        transactions.original_transaction_id, coalesce(charge_aliases.charge_id, transactions.charge_id), min(batches.known_at)
    from chain
    inner join transactions using (original_transaction_id, bundle_id)
    inner join batches on batches.batch_id = transactions.batch_id
    left join charge_aliases
        on charge_aliases.original_transaction_id = transactions.original_transaction_id
        and charge_aliases.stated_id = transactions.charge_id
    where transactions.environment = 'Production'
        and transactions.price_milliunits is not null
    group by transactions.original_transaction_id, coalesce(charge_aliases.charge_id, transactions.charge_id)
$$;
