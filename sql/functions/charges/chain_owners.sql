-- purpose: Returns the owner of each subscription. This is the known user of the earliest purchase's token; purchases with
--          other tokens or none are passed over. Without such a token it is the user of the order that the highest rung
--          matched with a charge of it, the earliest purchase first. Reads the facts of the present or of the transaction's
--          past clock. The ladder, which has no matches yet, uses the same order (chainOwner in
--          Sources/Ladder/Evaluation.swift).
create or replace function payrecon.chain_owners(chains text[])
returns table (environment text, bundle_id text, original_transaction_id text, user_id text)
language plpgsql stable parallel restricted
-- Looks up few keys of a large table.
set enable_nestloop = on
as $function$
begin
    return query execute $$
        with chain_charge as materialized (
            select
                charges.environment, charges.bundle_id, charges.original_transaction_id, charges.charge_id,
                charges.app_account_token, charges.purchased_at
            from charges
            where charges.original_transaction_id = any($1)
                and charges.type = 'auto_renewable'
        ),
        named as materialized (
            select owners.token, owners.user_id
            from token_owners(
                array(
                    select distinct chain_charge.app_account_token
                    from chain_charge
                    where chain_charge.app_account_token is not null
                )
            ) as owners
        ),
        chain_match as materialized (
            select matches.original_transaction_id, matches.charge_id, matches.order_id, matches.rung
            from chain_charge
            inner join matches using (original_transaction_id, charge_id)
        ),
        booked as materialized (
            select chain_match.original_transaction_id, chain_match.charge_id, chain_match.rung, orders.user_id
            from chain_match
            inner join orders on orders.order_id = chain_match.order_id
        ),
        owner as (
            select
                chain_charge.environment, chain_charge.bundle_id, chain_charge.original_transaction_id,
                coalesce(
                    (
                        array_agg(named.user_id order by chain_charge.purchased_at, chain_charge.charge_id)
                        filter (where named.user_id is not null)
                    )[1],
                    (
                        array_agg(booked.user_id order by booked.rung, chain_charge.purchased_at, chain_charge.charge_id)
                        filter (where booked.user_id is not null)
                    )[1]
                ) as user_id
            from chain_charge
            left join named on named.token = chain_charge.app_account_token
            left join booked using (original_transaction_id, charge_id)
            group by chain_charge.environment, chain_charge.bundle_id, chain_charge.original_transaction_id
        )
        select owner.*
        from owner
        where owner.user_id is not null
    $$ using chains;
end
$function$;
