-- purpose: the latest match run's decision on a charge, as phrases.
-- parameters: charge_id (text)
-- grain:   one row per match or candidate; one row without a rung if there is none
with subject as (select charges.* from charges where charges.charge_id = :'charge_id'::text),
decision as (
    select
        1 as place,
        jsonb_build_array(
            phrase('explain.matched', 'rung', matches.rung, 'order', matches.order_id),
            phrase('explain.decided', 'at', rfc3339(matches.valid_from), 'run', matches.run_id)
        ) as text,
        'match' as kind,
        matches.rung, matches.order_id
    from subject
    inner join matches using (original_transaction_id, charge_id)
    union all
    select
        1 + ambiguous_candidates.rank,
        phrase('explain.candidate_order', 'rank', ambiguous_candidates.rank::text, 'order', ambiguous_candidates.order_id),
        'candidate',
        'M7',
        ambiguous_candidates.order_id
    from subject
    inner join ambiguous_candidates using (original_transaction_id, charge_id)
)
select text::text, kind, rung, order_id, null
from (
    select place, text, kind, rung, order_id from decision
    union all
    select 0, phrase('explain.no_order'), 'none', null, null from subject where not exists (select 1 from decision)
) as line
order by place, order_id;
