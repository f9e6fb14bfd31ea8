-- purpose: the latest match run's decision on an order, and the reviewers' decisions, as phrases.
-- parameters: order_id (text)
-- grain:   one row per match, refused claim or candidate; one row without a rung if there is none
with subject as (select orders.order_id from orders where orders.order_id = :'order_id'::text),
matched_charge as materialized (
    select matched_orders.original_transaction_id, matched_orders.charge_id
    from subject
    inner join matched_orders on matched_orders.order_id = subject.order_id
),
decision as (
    select
        1 as place,
        jsonb_build_array(
            phrase('explain.matched_with',
                jsonb_build_object('rung', rung, 'charge', matches.charge_id, 'confidence', phrase('word.' || confidence))),
            phrase('explain.decided', 'at', rfc3339(matches.valid_from), 'run', matches.run_id)
        ) as text,
        'match' as kind,
        matches.rung, matches.charge_id,
        null as evidence_sha256
    from matched_charge
    inner join matches using (original_transaction_id, charge_id)
    union all
    select
        2,
        phrase('explain.no_match_for', jsonb_build_object('facts', jsonb_build_array(
            phrase('explain.on_rung', 'class', refused_claims.class, 'rung', refused_claims.rung),
            phrase('said.charge', 'id', refused_claims.charge_id),
            phrase('explain.evidence', 'id', encode(refused_claims.evidence_sha256, 'hex')),
            phrase('explain.held_by', 'id', refused_claims.counterpart)
        ))),
        'refused',
        refused_claims.rung, refused_claims.charge_id,
        encode(refused_claims.evidence_sha256, 'hex')
    from subject
    inner join refused_claims on refused_claims.order_id = subject.order_id
    union all
    select
        2 + ambiguous_candidates.rank,
        phrase('explain.candidate_of', 'rank', ambiguous_candidates.rank::text, 'charge', ambiguous_candidates.charge_id),
        'candidate',
        'M7',
        ambiguous_candidates.charge_id,
        null
    from subject
    inner join ambiguous_candidates on ambiguous_candidates.order_id = subject.order_id
)
select text::text, kind, rung, charge_id, evidence_sha256
from (
    select place, text, kind, rung, charge_id, evidence_sha256 from decision
    union all
    select
        0,
        phrase('explain.pair_decided', jsonb_build_object(
            'action', phrase('word.' || decided_pairs.action), 'charge', decided_pairs.charge_id, 'reason', reason,
            'people', coalesce(phrase('list.and', 'first', decided_by, 'second', approved_by), to_jsonb(decided_by))
        )),
        'decided', null, null, null
    from subject
    inner join decided_pairs on decided_pairs.order_id = subject.order_id
    inner join case_decisions
        on case_decisions.decision_id = decided_pairs.decision_id
        and case_decisions.step = 'effective'
    union all
    select 0, phrase('explain.no_match'), 'none', null, null, null from subject where not exists (select 1 from decision)
) as line
order by place, charge_id;
