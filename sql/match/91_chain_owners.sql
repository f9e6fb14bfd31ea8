-- purpose: a chain whose tokens lead to nobody belongs to the user whose order the highest rung gave a charge of it, the
--          earliest purchase first (as chain_owners says of what is recorded).
-- grain:   one charge of such a chain
update match_charge
set
    owner = coalesce(match_charge.owner, chain_owner.user_id),
    chain_owner = chain_owner.user_id,
    chain_told_by = chain_owner.rung
from (
    select distinct on (first_charge.environment, first_charge.bundle_id, first_charge.original_transaction_id)
        first_charge.environment,
        first_charge.bundle_id,
        first_charge.original_transaction_id,
        match_order.user_id,
        match_decided.rung
    from match_decided
    inner join match_charge as first_charge on first_charge.charge_id = match_decided.charge_id
    inner join match_order on match_order.order_id = match_decided.order_id
    where first_charge.type = 'auto_renewable'
    order by
        first_charge.environment, first_charge.bundle_id, first_charge.original_transaction_id,
        match_decided.rung, first_charge.purchased_at, first_charge.charge_id
) as chain_owner
where match_charge.chain_owner is null
    and match_charge.type = 'auto_renewable'
    and match_charge.original_transaction_id = chain_owner.original_transaction_id
    and match_charge.bundle_id = chain_owner.bundle_id
    and match_charge.environment = chain_owner.environment;
