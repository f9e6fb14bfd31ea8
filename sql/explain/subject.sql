-- purpose: the orders and charges that an id leads to, through matches, claims, breaks, aliases and evidence.
-- parameters: id (text)
-- grain:   one row per order or charge, with the charge's chain if known
with evidence_charge as materialized (
    select evidence.charge_id, evidence.original_transaction_id
    from judged_evidence as evidence
    where evidence.sha256 = hash_of_letters(:'id'::text)
        and evidence.charge_id is not null
),
named_break as materialized (
    select break_events.order_id, break_events.charge_id
    from break_events
    where break_events.break_id = :'id'::text
),
named_chain as materialized (
    select distinct transactions.original_transaction_id
    from transactions
    where transactions.transaction_id = :'id'::text
),
direct_subject as (
    select 'order' as kind, orders.order_id as id, null as chain from orders where orders.order_id = :'id'::text
    union
    select 'order', orders.order_id, null
    from orders
    where orders.transaction_id = :'id'::text
        or orders.web_order_line_item_id = :'id'::text
        or orders.original_transaction_id = :'id'::text
        or orders.evidence_sha256 = hash_of_letters(:'id'::text)
    union
    select 'order', order_versions.order_id, null
    from order_versions
    where order_versions.transaction_id = :'id'::text
        or order_versions.web_order_line_item_id = :'id'::text
        or order_versions.original_transaction_id = :'id'::text
        or order_versions.evidence_sha256 = hash_of_letters(:'id'::text)
    union
    select 'charge', charges.charge_id, charges.original_transaction_id
    from named_chain
    inner join charges
        on charges.original_transaction_id = named_chain.original_transaction_id
        and :'id'::text = any(charges.transaction_ids)
    union
    select 'charge', charges.charge_id, charges.original_transaction_id
    from charges
    where charges.charge_id = :'id'::text
        or charges.original_transaction_id = :'id'::text
        or charges.web_order_line_item_id = :'id'::text
    union
    select 'charge', coalesce(charge_aliases.charge_id, evidence_charge.charge_id), evidence_charge.original_transaction_id
    from evidence_charge
    left join charge_aliases on charge_aliases.stated_id = evidence_charge.charge_id
    union
    select 'order', named_break.order_id, null
    from named_break
    where named_break.order_id is not null
    union
    select 'charge', charges.charge_id, charges.original_transaction_id
    from named_break
    inner join charges on charges.charge_id = named_break.charge_id
),
connected_subject as (
    select kind, id, chain from direct_subject
    union
    select 'charge', matched_orders.charge_id, matched_orders.original_transaction_id
    from matched_orders
    inner join direct_subject on direct_subject.kind = 'order' and direct_subject.id = matched_orders.order_id
    union
    select 'order', matches.order_id, null
    from direct_subject
    inner join matches
        on matches.original_transaction_id = direct_subject.chain
        and matches.charge_id = direct_subject.id
    where direct_subject.kind = 'charge'
    union
    select 'charge', refused_claims.charge_id, null
    from refused_claims
    inner join direct_subject on direct_subject.kind = 'order' and direct_subject.id = refused_claims.order_id
    where refused_claims.charge_id is not null
)
select kind, id, min(chain)
from connected_subject
group by kind, id
order by kind desc, id
limit 200;
