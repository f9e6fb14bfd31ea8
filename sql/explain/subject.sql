-- purpose: what an id means: the orders and charges it leads to, through matches, claims, breaks, aliases and evidence.
-- parameters: id (text)
-- grain:   one row per order or charge
with hit as (
    select 'order' as kind, orders.order_id as id from orders where orders.order_id = :'id'::text
    union
    select match_keys.side, match_keys.id
    from match_keys
    where match_keys.key = :'id'::text
        and match_keys.kind in ('transaction_id', 'original', 'line_item', 'evidence')
    union
    select 'charge', charges.charge_id from charges where charges.charge_id = :'id'::text
    union
    select 'charge', charges.charge_id from charges where charges.original_transaction_id = :'id'::text
    union
    select 'charge', evidence.charge_id
    from evidence
    where evidence.sha256 = :'id'::text
        and evidence.charge_id is not null
    union
    select 'order', break_events.order_id
    from break_events
    where break_events.break_id = :'id'::text
        and break_events.order_id is not null
    union
    select 'charge', break_events.charge_id
    from break_events
    where break_events.break_id = :'id'::text
        and break_events.charge_id is not null
),
reached as (
    select kind, id from hit
    union
    select 'charge', claims.charge_id from claims inner join hit on hit.kind = 'order' and hit.id = claims.order_id
    union
    select 'order', claims.order_id from claims inner join hit on hit.kind = 'charge' and hit.id = claims.charge_id
    union
    select 'charge', refused_claims.charge_id
    from refused_claims
    inner join hit on hit.kind = 'order' and hit.id = refused_claims.order_id
    where refused_claims.charge_id is not null
)
select kind, id
from reached
order by kind desc, id
limit 200;
