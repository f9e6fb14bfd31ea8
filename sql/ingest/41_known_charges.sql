-- purpose: charges of a chunk about which something is stored: a statement about the charge, or about a period of its
--          subscription without a line item, which may turn out to be the same charge.
-- parameters: chains, charge_ids (text[]): parallel arrays
-- grain:   one row per charge and such statement
with chunk_charge as materialized (
    select wanted.chain collate "C" as chain, wanted.charge_id collate "C" as charge_id
    from unnest(:'chains'::text[], :'charge_ids'::text[]) as wanted (chain, charge_id)
)
select chunk_charge.charge_id
from chunk_charge
inner join transactions
    on transactions.original_transaction_id = chunk_charge.chain
    and transactions.charge_id = chunk_charge.charge_id
union all
select chunk_charge.charge_id
from chunk_charge
inner join transactions as bare on bare.original_transaction_id = chunk_charge.chain
where bare.web_order_line_item_id is null and is_subscription_period(bare.type, bare.expires_at);
