-- purpose: purchases of a customer according to Apple, with the order of each and the classes of its open breaks; newest first.
-- parameters: charge_ids (text[]), rows (bigint)
-- grain:   one row per charge
with charged as materialized (select charges.* from charges where charges.charge_id = any(:'charge_ids'::text[])),
finding as (
    select break_events.charge_id, string_agg(distinct break_events.class, ' ') as classes
    from open_break_events as break_events
    where break_events.charge_id = any(:'charge_ids'::text[])
    group by break_events.charge_id
),
paired as materialized (
    select matches.original_transaction_id, matches.charge_id, matches.order_id
    from charged
    inner join matches using (original_transaction_id, charge_id)
)
select
    charged.charge_id, charged.state as status, finding.classes as about, charged.product_id || ' x ' || charged.quantity as product_id,
    money_text(charged.price_milliunits, charged.currency) as price,
    money_text(nullif(charged.refunded_milliunits, 0), charged.currency) as refunded_amount,
    rfc3339(charged.purchased_at) as purchased_at, rfc3339(charged.expires_at) as expires_at, paired.order_id,
    array_to_string(charged.transaction_ids, e'\n') as transaction_id, charged.storefront,
    nullif(charged.environment, 'Production') as environment
from charged
left join paired using (original_transaction_id, charge_id)
left join finding on finding.charge_id = charged.charge_id
order by charged.purchased_at desc, charged.charge_id
limit :'rows'::bigint;
