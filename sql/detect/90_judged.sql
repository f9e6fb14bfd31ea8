-- purpose: one class per family and subject, with its stable id. Findings inside their grace time are marked as pending. The
--          id names a period by its product and second of purchase, because its line item may become known later. If
--          several charges share these, the one with the smallest line item has this id.
-- parameters: as_of (timestamptz)
-- grain:   one row per difference
create temp table detect_judged on commit drop as
with charged as (
    select distinct finding.charge_id
    from finding
    where finding.subject_id = 'charge:' || finding.charge_id
),
period as materialized (
    select
        charges.charge_id, coalesce(charges.web_order_line_item_id, '') as line_item_id, charges.environment, charges.bundle_id,
        charges.original_transaction_id, charges.product_id, date_trunc('second', charges.purchased_at) as purchased_at
    from charged
    inner join in_charges as charges on charges.charge_id = charged.charge_id
    where charges.type = 'auto_renewable'
),
-- Periods of which another charge has the id.
preceded as (
    select distinct period.charge_id
    from period
    inner join in_charges as charges
        on charges.original_transaction_id = period.original_transaction_id
        and charges.environment = period.environment
        and charges.bundle_id = period.bundle_id
        and charges.product_id = period.product_id
        and date_trunc('second', charges.purchased_at) = period.purchased_at
        and (coalesce(charges.web_order_line_item_id, ''), charges.charge_id) < (period.line_item_id, period.charge_id)
    where charges.type = 'auto_renewable'
),
named as (
    select
        period.charge_id,
        'period:' || concat_ws(
            '|', period.environment, period.bundle_id, period.original_transaction_id, period.product_id, rfc3339(period.purchased_at)
        ) as subject_id
    from period
    where not exists (select 1 from preceded where preceded.charge_id = period.charge_id)
)
select distinct on (break_classes.family, finding.subject_id)
    break_hash(break_classes.family, coalesce(named.subject_id, finding.subject_id)) as break_id,
    break_classes.family,
    break_classes.severity,
    finding.*,
    finding.breaks_at > :'as_of'::timestamptz as is_pending
from finding
inner join break_classes on break_classes.class = finding.class
left join named on finding.subject_id = 'charge:' || named.charge_id
order by
    break_classes.family, finding.subject_id, (finding.breaks_at > :'as_of'::timestamptz), break_classes.priority,
    finding.breaks_at, finding.detail::text collate "C";
