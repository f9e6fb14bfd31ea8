-- purpose: assigns a user to findings about a charge alone: the user of its order, else of its subscription or token.
-- grain:   one finding
with named as materialized (
    select distinct finding.charge_id
    from finding
    where finding.subject_id = 'charge:' || finding.charge_id
        and finding.user_id is null
),
paid as materialized (
    select charges.original_transaction_id, charges.charge_id
    from named
    inner join in_charges as charges on charges.charge_id = named.charge_id
),
matched as materialized (
    select matches.charge_id, matches.order_id
    from paid
    inner join in_matches as matches using (original_transaction_id, charge_id)
),
holder as materialized (
    select matched.charge_id, orders.user_id
    from matched
    inner join in_orders as orders on orders.order_id = matched.order_id
    union
    select named.charge_id, detect_open_charge.user_id
    from named
    inner join detect_open_charge on detect_open_charge.charge_id = named.charge_id
)
update finding
set user_id = holder.user_id
from holder
where finding.charge_id = holder.charge_id
    and finding.subject_id = 'charge:' || finding.charge_id
    and finding.user_id is null;
