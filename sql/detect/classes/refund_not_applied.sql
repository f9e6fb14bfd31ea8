-- purpose: REFUND_NOT_APPLIED: Apple refunded or revoked, and after the grace time our order is not refunded, or was
--          refunded before this refund. Family access that ends no later than Apple's revocation counts as applied.
-- parameters: grace, skew (intervals)
-- grain:   one finding per match
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'REFUND_NOT_APPLIED',
    'order:' || detect_pair.order_id,
    detect_pair.bundle_id,
    'Production',
    detect_pair.order_id,
    detect_pair.charge_id,
    detect_pair.transaction_id,
    detect_pair.user_id,
    -- An app receipt states no price, so the order's price is at stake.
    case
        when detect_pair.charge_milliunits is null and detect_pair.state <> 'family' then detect_pair.order_milliunits
        else detect_pair.refunded_milliunits
    end,
    case
        when detect_pair.charge_milliunits is null and detect_pair.state <> 'family' then detect_pair.order_currency
        else detect_pair.charge_currency
    end,
    case when detect_pair.refunded_at is null then detect_pair.first_revoked_at else detect_pair.refunded_since end
        + :'grace'::interval,
    -- Receipts state a full refund without its type. The text is the same for all sources, so that a decision on it holds.
    'Apple revoked on ' || rfc3339(detect_pair.revoked_at) || ' (' || coalesce(
            nullif(detect_pair.revocation_type, 'REFUND_FULL'),
            -- Family-shared access cost this customer nothing, so nothing is refunded.
            case when detect_pair.state = 'family' then 'FAMILY_REVOKE' else 'refund' end
        ) || '), the order is ' || detect_pair.status
from detect_pair
where detect_pair.revoked_at is not null
    and detect_pair.status in ('paid', 'delivered')
    and coalesce(detect_pair.refunded_at < detect_pair.refunded_since - :'skew'::interval, true)
    and not (
        detect_pair.state = 'family'
        and coalesce(detect_pair.entitlement_expires_at <= detect_pair.first_revoked_at + :'skew'::interval, false)
    );
