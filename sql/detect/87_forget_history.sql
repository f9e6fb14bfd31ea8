-- purpose: forgets what only says that one side of the history before an app's start date (reconcile_from) is not here: no order for a
--          purchase, renewal or refund, no charge for an order or a due renewal, no notification, no price. What both sides say
--          stays, and so does whatever an order or a refund since the start date does with an older purchase.
-- parameters: bundles, starts (text[]): apps with their start dates, side by side; grace (interval)
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
