-- purpose: Returns those of some charges that were periods reported without their line item, with the charge that each
--          turned out to be.
-- parameters: clock: latest knowledge; charge_ids: null selects none
-- grain:   one row per charge with another id
create or replace function payrecon.renamed_charges_at(clock timestamptz, charge_ids text[])
returns table (stated_id text, charge_id text)
language sql stable parallel safe rows 10
as $$
    with bare as materialized (
        select distinct transactions.charge_id, transactions.original_transaction_id
        from (select distinct unnest(renamed_charges_at.charge_ids) as charge_id) as requested
        inner join payrecon.transactions
            on transactions.charge_id = requested.charge_id collate "C"
            and transactions.web_order_line_item_id is null
            and payrecon.is_subscription_period(transactions.type, transactions.expires_at)
    )
    select distinct alias.stated_id, alias.charge_id
    from bare
    cross join lateral payrecon.charge_aliases_at(clock, array[bare.original_transaction_id]) as alias
    where alias.stated_id = bare.charge_id
$$;
