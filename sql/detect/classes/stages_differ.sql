-- purpose: matched, and order and charge are at different stages after the grace time. ENTITLEMENT_SHORT: we revoked the
--          order and Apple refunded nothing. Access is not short if it ran to Apple's expiry before we revoked it, if an
--          upgrade ended its period, or if the catalogue does not allow its sharing. PAID_NOT_DELIVERED: nothing is delivered,
--          and the order is no cart on family access; the amount at risk excludes a part that Apple refunded.
--          REFUND_NOT_APPLIED: Apple refunded or revoked, and our order is not refunded, or was refunded before this refund.
--          An order that was cancelled after its delivery still has the goods. Family access that ends no later than Apple's
--          revocation counts as applied. REFUND_ONLY_OURS: our order is refunded, and Apple has not refunded the charge.
--          REFUND_REVERSED_NOT_APPLIED: Apple reversed a refund, and our order is still refunded or revoked. An order that
--          states its delivery since the reversal is restored, and may keep the instant of an earlier refund.
-- parameters: grace, skew (interval)
-- grain:   one finding per match and class
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    difference.class, 'order:' || pair.order_id, pair.bundle_id, 'Production', pair.order_id, pair.charge_id,
    pair.transaction_id, pair.user_id, difference.amount_milliunits, difference.currency,
    difference.since + :'grace'::interval, difference.detail
from differing_pair as pair
left join products using (bundle_id, product_id)
cross join lateral (
    select
        'ENTITLEMENT_SHORT' as class, pair.charge_milliunits as amount_milliunits, pair.charge_currency as currency,
        pair.purchased_at as since, phrase('detail.we_revoked') as detail
    where pair.status = 'revoked'
        and pair.refunded_at is null
        and pair.revoked_at is null
        and pair.reversed_at is null
        and not pair.is_upgraded
        and (pair.state <> 'family' or products.is_family_shareable is not false)
        -- The order may still state the end with which it was sold.
        and not coalesce(
            pair.entitlement_expires_at >= pair.expires_at - :'skew'::interval
            and pair.updated_at >= pair.expires_at - :'skew'::interval,
            false
        )
    union all
    select
        'PAID_NOT_DELIVERED', pair.charge_milliunits - coalesce(pair.refunded_milliunits, 0), pair.charge_currency,
        pair.purchased_at, phrase('detail.charged_status', jsonb_build_object('status', phrase('word.' || pair.status)))
    where pair.status in ('created', 'paid', 'cancelled')
        and pair.delivered_at is null
        and (pair.revoked_at is null or pair.state = 'partly_refunded')
        -- A family's copy costs nothing, so its cart owes nothing.
        and not pair.is_family_cart
    union all
    select
        'REFUND_NOT_APPLIED',
        -- An app receipt states no price, so the order's price is at stake.
        case when priced.is_unknown then pair.order_milliunits else pair.refunded_milliunits end,
        case when priced.is_unknown then pair.order_currency else pair.charge_currency end,
        case when pair.refunded_at is null then pair.first_revoked_at else pair.refunded_since end,
        -- Receipts state a full refund without its type. The text is the same for all sources, so that a decision on it holds.
        phrase('detail.revoked_on', jsonb_build_object(
            'at', rfc3339(pair.revoked_at), 'status', phrase('word.' || pair.status),
            'kind', phrase('word.' || coalesce(
                nullif(pair.revocation_type, 'REFUND_FULL'),
                -- Family-shared access cost this customer nothing, so nothing is refunded.
                case when pair.state = 'family' then 'FAMILY_REVOKE' else 'refund' end
            ))
        ))
    from (select pair.charge_milliunits is null and pair.state <> 'family' as is_unknown) as priced
    where pair.revoked_at is not null
        and is_current_sale(pair.status, pair.delivered_at)
        and coalesce(pair.refunded_at < pair.refunded_since - :'skew'::interval, true)
        and not (
            pair.state = 'family'
            and coalesce(pair.entitlement_expires_at <= pair.first_revoked_at + :'skew'::interval, false)
        )
    union all
    select
        'REFUND_ONLY_OURS', pair.charge_milliunits, pair.charge_currency, coalesce(pair.refunded_at, pair.purchased_at),
        phrase('detail.refund_ours')
    where pair.revoked_at is null
        and pair.reversed_at is null
        and pair.state <> 'family'
        and (pair.status = 'refunded' or pair.refunded_at is not null)
    union all
    select
        'REFUND_REVERSED_NOT_APPLIED', pair.charge_milliunits, pair.charge_currency, pair.reversed_at,
        phrase('detail.refund_reversed', jsonb_build_object('status', phrase('word.' || pair.status)))
    where pair.reversed_at is not null
        and pair.revoked_at is null
        and is_unrestored(pair.status, pair.updated_at, pair.refunded_at, pair.reversed_at)
) as difference;
