-- purpose: every known refund: instant and amount, its purchase, the state of its order, its open break, and the tie-out
--          cell that proves it.
-- grain:   one row per Production charge that Apple refunded, revoked or charged again after a refund, or that only we refunded
with refund as materialized (select refund_row.* from refund_rows() as refund_row),
open_break as (
    select distinct on (break_events.charge_id) break_events.charge_id, break_events.class, break_events.break_id
    from open_break_events as break_events
    where break_events.class in ('REFUND_NOT_APPLIED', 'REFUND_ONLY_OURS', 'REFUND_NO_ORDER', 'REFUND_REVERSED_NOT_APPLIED')
    order by break_events.charge_id asc, break_events.break_id asc
),
-- Each refund with its possible days at Apple, so that cells join by equality.
placed as materialized (
    select refund.*, back.price, ((refund.given_at at time zone 'UTC') + days.shift * interval '1 day')::date as day
    from refund
    cross join lateral refunded_units(refund.price_milliunits, refund.quantity, refund.refunded_milliunits, refund.currency) as back
    cross join (values (-1), (0), (1)) as days (shift)
    where refund.outcome = 'refunded'
        and refund.refunded_milliunits > 0
),
settled as (
    select placed.charge_id, min(tieout_cells.cell_id) as cell_id
    from latest_tieouts(viewed_at()) as latest
    inner join tieout_cells using (fiscal_period, as_of)
    inner join tieout_offsets using (fiscal_period, as_of, storefront)
    inner join placed
        on placed.product_id = tieout_cells.sku
        and placed.storefront = tieout_cells.storefront
        and placed.currency = tieout_cells.customer_currency
        and placed.day = tieout_cells.transaction_day
        and placed.price = tieout_cells.customer_price
    where tieout_cells.sign = -1
        and tieout_cells.status = 'proved'
        and (placed.given_at at time zone tieout_offsets.zone)::date = placed.day
    group by placed.charge_id
)
select
    refund.outcome, refund.booking,
    to_char(refund.refund_day, 'YYYY-MM-DD') as refund_day,
    refund.refund_period,
    to_char(refund.purchase_day, 'YYYY-MM-DD') as purchase_day,
    refund.purchase_period,
    refund.refund_day - refund.purchase_day as days_to_refund,
    refund.bundle_id, refund.product_id, refund.type, refund.storefront, refund.currency, refund.transaction_id,
    refund.original_transaction_id, refund.web_order_line_item_id, refund.charge_id, refund.order_id, refund.user_id as user_ref,
    refund.price_milliunits, refund.refund_type,
    trim_scale(refund.revocation_percentage / 1000.0)::text as refund_percent,
    refund.refunded_milliunits,
    case when refund.outcome = 'reversed' then refund.given_milliunits end as reversed_milliunits,
    refund.revocation_reason,
    rfc3339(refund.given_at) as given_at,
    rfc3339(refund.reversed_at) as reversed_at,
    rfc3339(refund.seen_at) as seen_at,
    extract(epoch from refund.seen_at - refund.given_at)::bigint as lag_s,
    refund.order_status,
    rfc3339(refund.refunded_at) as refunded_at,
    open_break.class as break_class, open_break.break_id,
    case
        when refund.user_id is not null then count(*) filter (where refund.outcome = 'refunded') over (
            partition by refund.user_id
            order by refund.given_at
            range between interval '90 days' preceding and current row
        )
    end as user_refunds_90d,
    settled.cell_id
from refund
left join open_break on open_break.charge_id = refund.charge_id
left join settled on settled.charge_id = refund.charge_id
order by refund.given_at, refund.charge_id;
