-- purpose: the charges that an order's evidence decodes to: the text whose hash the order carries, evidence nested in it,
--          and evidence uploaded for the order.
-- grain:   one row per order and charge; is_listed: a receipt or answer lists the charge among others
with carried as materialized (
    select orders.order_id, orders.evidence_sha256 as carried_sha256, orders.evidence_sha256 as sha256
    from in_orders as orders
    where orders.evidence_sha256 is not null
),
-- Apple nests at most three levels: a transaction in a notification in an answer.
first_level as materialized (
    select distinct carried.order_id, carried.carried_sha256, evidence_links.sha256
    from carried
    inner join evidence_links on evidence_links.parent_sha256 = carried.sha256
),
second_level as materialized (
    select distinct first_level.order_id, first_level.carried_sha256, evidence_links.sha256
    from first_level
    inner join evidence_links on evidence_links.parent_sha256 = first_level.sha256
),
third_level as materialized (
    select distinct second_level.order_id, second_level.carried_sha256, evidence_links.sha256
    from second_level
    inner join evidence_links on evidence_links.parent_sha256 = second_level.sha256
),
nested as (
    select order_id, carried_sha256, sha256, false as is_nested from carried
    union all
    select order_id, carried_sha256, sha256, true from first_level
    union all
    select order_id, carried_sha256, sha256, true from second_level
    union all
    select order_id, carried_sha256, sha256, true from third_level
),
sent as materialized (
    select
        uploads.order_id, uploads.source, uploads.received_at, uploads.user_id, uploads.device_id, uploads.sha256, evidence.kind,
        evidence.verdict, evidence.charge_id, evidence.original_transaction_id, evidence.header_key is null as is_unsigned
    from in_uploads as uploads
    inner join in_judged_evidence as evidence on evidence.sha256 = uploads.sha256
    where uploads.order_id <> ''
),
-- The items of an answer that was sent for an order, and those in its notifications. A notification alone states one purchase.
listed as materialized (
    select distinct
        sent.order_id, sent.source, sent.received_at, sent.user_id, sent.device_id, evidence_links.sha256
    from sent
    inner join evidence_links on evidence_links.parent_sha256 = sent.sha256
    where sent.kind = 'api_answer'
),
answered as (
    select listed.* from listed
    union
    select listed.order_id, listed.source, listed.received_at, listed.user_id, listed.device_id, evidence_links.sha256
    from listed
    inner join evidence_links on evidence_links.parent_sha256 = listed.sha256
),
decoded as (
    select
        nested.order_id, nested.carried_sha256, evidence.charge_id, evidence.original_transaction_id, nested.is_nested as is_listed
    from nested
    inner join in_judged_evidence as evidence on evidence.sha256 = nested.sha256
    where evidence.charge_id is not null
    union
    select
        sent.order_id, null, sent.charge_id, sent.original_transaction_id, sent.is_unsigned or answered.sha256 is not null
    from sent
    left join answered using (order_id, source, received_at, user_id, device_id, sha256)
    where sent.charge_id is not null
        and sent.verdict = 'genuine'
),
claimed as (
    select
        decoded.order_id, decode(min(encode(decoded.carried_sha256, 'hex')), 'hex') as carried_sha256,
        coalesce(charge_aliases.charge_id, decoded.charge_id) as charge_id, bool_and(decoded.is_listed) as is_listed,
        bool_or(decoded.is_listed) as is_in_list
    from decoded
    left join charge_aliases
        on charge_aliases.original_transaction_id = decoded.original_transaction_id
        and charge_aliases.stated_id = decoded.charge_id
    group by decoded.order_id, coalesce(charge_aliases.charge_id, decoded.charge_id), decoded.original_transaction_id
)
select
    claimed.order_id, claimed.charge_id, claimed.carried_sha256,
    -- A receipt with a single purchase is as specific as that purchase.
    claimed.is_listed
    and count(*) filter (where claimed.is_in_list) over (partition by claimed.order_id) > 1 as is_listed
from claimed;
