-- purpose: REFUND_NOT_APPLIED: Apple refunded or revoked, and after the grace time our order is not refunded, or was
--          refunded before this refund. Family access that ends no later than Apple's revocation counts as applied.
-- parameters: grace, skew (interval)
-- grain:   one finding per match
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'REFUND_NOT_APPLIED',
    'order:' || differing_pair.order_id,
    differing_pair.bundle_id,
    'Production',
    differing_pair.order_id,
    differing_pair.charge_id,
    differing_pair.transaction_id,
    differing_pair.user_id,
    -- An app receipt states no price, so the order's price is at stake.
    case
        when differing_pair.charge_milliunits is null and differing_pair.state <> 'family' then differing_pair.order_milliunits
        else differing_pair.refunded_milliunits
    end,
    case
        when differing_pair.charge_milliunits is null and differing_pair.state <> 'family' then differing_pair.order_currency
        else differing_pair.charge_currency
    end,
    case when differing_pair.refunded_at is null then differing_pair.first_revoked_at else differing_pair.refunded_since end
        + :'grace'::interval,
    -- Receipts state a full refund without its type. The text is the same for all sources, so that a decision on it holds.
    'Apple revoked on ' || rfc3339(differing_pair.revoked_at) || ' (' || coalesce(
            nullif(differing_pair.revocation_type, 'REFUND_FULL'),
            -- Family-shared access cost this customer nothing, so nothing is refunded.
            case when differing_pair.state = 'family' then 'FAMILY_REVOKE' else 'refund' end
        ) || '), the order is ' || differing_pair.status
from differing_pair
where differing_pair.revoked_at is not null
    and differing_pair.status in ('paid', 'delivered')
    and coalesce(differing_pair.refunded_at < differing_pair.refunded_since - :'skew'::interval, true)
    and not (
        differing_pair.state = 'family'
        and coalesce(differing_pair.entitlement_expires_at <= differing_pair.first_revoked_at + :'skew'::interval, false)
    );
