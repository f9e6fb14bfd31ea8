-- purpose: rung M7: a charge that fits several pairings. Reviewers choose among the ranked candidates.
-- grain:   one finding per charge
insert into finding (
    class, subject_id, bundle_id, environment, charge_id, transaction_id, user_id, amount_milliunits, currency, breaks_at,
    detail
)
select
    'AMBIGUOUS_MATCH',
    'charge:' || charges.charge_id,
    charges.bundle_id,
    charges.environment,
    charges.charge_id,
    charges.transaction_ids[1],
    detect_open_charge.user_id,
    charges.price_milliunits - case when charges.state = 'refunded' then 0 else coalesce(charges.refunded_milliunits, 0) end,
    charges.currency,
    charges.purchased_at,
    phrase('detail.candidates', jsonb_build_object('list', phrase('said.apart', jsonb_agg(
        phrase('detail.candidate', jsonb_build_object(
            'order', ambiguous_candidates.order_id,
            'why', candidate_reason(
                ambiguous_candidates.tie, charges.product_id, charges.quantity, ambiguous_candidates.delay_seconds
            )
        ))
        order by ambiguous_candidates.rank
    ))))
from in_ambiguous_candidates as ambiguous_candidates
inner join in_charges as charges using (original_transaction_id, charge_id)
left join detect_open_charge on detect_open_charge.charge_id = charges.charge_id
where charges.environment = 'Production'
group by
    charges.charge_id, charges.bundle_id, charges.environment, charges.transaction_ids, charges.product_id, charges.quantity,
    charges.price_milliunits,
    charges.refunded_milliunits, charges.state, charges.currency, charges.purchased_at, detect_open_charge.user_id;
