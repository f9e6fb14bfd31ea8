-- purpose: AMOUNT_DIFF: matched, same currency, different totals; also money booked on family-shared access, which carries
--          none.
-- grain:   one finding per match
insert into finding (
    class, subject_id, bundle_id, environment, order_id, charge_id, transaction_id, user_id, amount_milliunits, currency,
    breaks_at, detail
)
select
    'AMOUNT_DIFF',
    'order:' || differing_pair.order_id,
    differing_pair.bundle_id,
    'Production',
    differing_pair.order_id,
    differing_pair.charge_id,
    differing_pair.transaction_id,
    differing_pair.user_id,
    abs(differing_pair.order_milliunits - differing_pair.charge_milliunits),
    differing_pair.charge_currency,
    differing_pair.purchased_at,
    'order says ' || money_text(differing_pair.order_milliunits, coalesce(differing_pair.order_currency, ''))
        || ', Apple charged ' || money_text(differing_pair.charge_milliunits, coalesce(differing_pair.charge_currency, ''))
from differing_pair
where differing_pair.order_milliunits <> differing_pair.charge_milliunits
    and coalesce(differing_pair.order_currency, '') = coalesce(differing_pair.charge_currency, differing_pair.order_currency, '')
    and differing_pair.state <> 'family'
union all
select
    'AMOUNT_DIFF',
    'order:' || differing_pair.order_id,
    differing_pair.bundle_id,
    'Production',
    differing_pair.order_id,
    differing_pair.charge_id,
    differing_pair.transaction_id,
    differing_pair.user_id,
    differing_pair.order_milliunits,
    differing_pair.order_currency,
    differing_pair.purchased_at,
    'order says ' || money_text(differing_pair.order_milliunits, coalesce(differing_pair.order_currency, ''))
        || ', Apple charged nothing: '
        || 'this customer has the access without having bought it, as a family shares it'
from differing_pair
where differing_pair.state = 'family'
    and differing_pair.order_milliunits > 0;
