-- purpose: removes findings that only reflect missing history before an app's start date (reconcile_from): no order for a
--          purchase, renewal or refund, no charge for an order or a due renewal, no notification, no price. Findings
--          supported by both sides stay, and so do orders and refunds since the start date that concern an older purchase.
-- parameters: bundles, starts (text[]): apps and their start dates, parallel arrays; grace (interval)
-- grain:   one finding
delete from finding
using unnest(:'bundles'::text[], :'starts'::text[]) as app (bundle_id, starts_at)
where finding.bundle_id = app.bundle_id
    and case
        when finding.class in (
            'TX_NO_ORDER', 'RENEWAL_NO_ORDER', 'REFUND_NO_ORDER', 'ORDER_NO_TX', 'RENEWAL_MISSING'
        ) then finding.breaks_at - :'grace'::interval < app.starts_at::timestamptz
        when finding.class in ('MISSED_NOTIFICATION', 'PRICE_OFF_CATALOG') then finding.breaks_at < app.starts_at::timestamptz
        else false
    end;
