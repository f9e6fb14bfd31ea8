-- purpose: which charges the evidence of each order decodes to: the text whose hash the order carries, whatever lies in it, and
--          what was uploaded for the order.
-- grain:   one row per order, charge and way. A row that a receipt or an answer lists beside others says less than a
--          transaction: is_listed
create temp table match_evidence on commit drop as
with named as materialized (
    select orders.order_id, orders.evidence_sha256 as named_sha256, orders.evidence_sha256 as sha256
    from in_orders as orders
    where orders.evidence_sha256 is not null
),
part as materialized (
    select distinct named.order_id, named.named_sha256, evidence_links.sha256
    from named
    inner join evidence_links on evidence_links.parent_sha256 = named.sha256
),
part_of_part as materialized (
    select distinct part.order_id, part.named_sha256, evidence_links.sha256
    from part
    inner join evidence_links on evidence_links.parent_sha256 = part.sha256
),
-- Nothing of Apple's lies deeper: a transaction in a notification in an answer.
deepest as materialized (
    select distinct part_of_part.order_id, part_of_part.named_sha256, evidence_links.sha256
    from part_of_part
    inner join evidence_links on evidence_links.parent_sha256 = part_of_part.sha256
),
inside as (
    select order_id, named_sha256, sha256, false as is_part from named
    union all
    select order_id, named_sha256, sha256, true from part
    union all
    select order_id, named_sha256, sha256, true from part_of_part
    union all
    select order_id, named_sha256, sha256, true from deepest
),
told as (
    select
        inside.order_id, inside.named_sha256, evidence.charge_id, evidence.original_transaction_id,
        inside.is_part as is_listed
    from inside
    inner join in_judged_evidence as evidence on evidence.sha256 = inside.sha256
    where evidence.charge_id is not null
    union
    select uploads.order_id, null, evidence.charge_id, evidence.original_transaction_id, evidence.header_key is null
    from in_uploads as uploads
    inner join in_judged_evidence as evidence on evidence.sha256 = uploads.sha256
    where uploads.order_id <> ''
        and evidence.charge_id is not null
        and evidence.verdict = 'genuine'
),
resolved as (
    select
        told.order_id, (array_agg(told.named_sha256 order by told.named_sha256))[1] as sha256,
        coalesce(charge_aliases.charge_id, told.charge_id) as charge_id, told.original_transaction_id, bool_and(told.is_listed) as is_listed
    from told
    left join charge_aliases
        on charge_aliases.original_transaction_id = told.original_transaction_id
        and charge_aliases.told_id = told.charge_id
    group by told.order_id, coalesce(charge_aliases.charge_id, told.charge_id), told.original_transaction_id
)
select
    resolved.order_id, resolved.sha256, resolved.charge_id, resolved.original_transaction_id,
    -- What lists one purchase alone says as much as that purchase.
    resolved.is_listed
    and count(*) filter (where resolved.is_listed) over (partition by resolved.order_id) > 1 as is_listed
from resolved;
