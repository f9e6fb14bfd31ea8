-- purpose: rebuilds the charges that have new statements from all their statements. A period that turns out to be another
--          charge's loses its separate row.
-- grain:   one row per charge
with changed_charge as (
    select
        coalesce(array_agg(original_transaction_id order by original_transaction_id, charge_id), '{}') as chains,
        coalesce(array_agg(charge_id order by original_transaction_id, charge_id), '{}') as stated_ids
    from stated_charge
),
alias as materialized (
    select aliases.original_transaction_id, aliases.stated_id
    from changed_charge
    cross join lateral charge_aliases_at('infinity', changed_charge.chains) as aliases
),
aliased as (
    delete from charges
    using alias
    where alias.original_transaction_id = charges.original_transaction_id
        and alias.stated_id = charges.charge_id
)
insert into charges as known
select gathered.*
from changed_charge
cross join lateral charges_of('infinity', changed_charge.chains, changed_charge.stated_ids) as gathered
on conflict (original_transaction_id, charge_id) do update
set
    product_id = excluded.product_id,
    type = excluded.type,
    state = excluded.state,
    ownership = excluded.ownership,
    web_order_line_item_id = excluded.web_order_line_item_id,
    app_account_token = excluded.app_account_token,
    storefront = excluded.storefront,
    currency = excluded.currency,
    revocation_type = excluded.revocation_type,
    transaction_ids = excluded.transaction_ids,
    quantity = excluded.quantity,
    offer_type = excluded.offer_type,
    price_milliunits = excluded.price_milliunits,
    refunded_milliunits = excluded.refunded_milliunits,
    batch_id = excluded.batch_id,
    is_renewal = excluded.is_renewal,
    is_upgraded = excluded.is_upgraded,
    purchased_at = excluded.purchased_at,
    expires_at = excluded.expires_at,
    revoked_at = excluded.revoked_at,
    reversed_at = excluded.reversed_at,
    signed_at = excluded.signed_at,
    subscription_group = excluded.subscription_group,
    first_revoked_at = excluded.first_revoked_at,
    refunded_since = excluded.refunded_since;
