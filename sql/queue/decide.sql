-- purpose: records what a person decided; what needs a second person is only proposed.
-- parameters: case_ids (text[]), action, outcome, reason, person, account, order_id, charge_id (text), as_of (timestamptz)
-- grain:   one row per case: its id and that of the decision
insert into case_decisions (
    case_id, decision_id, step, action, outcome, subject_kind, subject_id, order_id, charge_id, currency, reason,
    decided_by, account, amount_milliunits, at
)
select
    state.case_id,
    left(
        encode(
            sha256(
                convert_to(
                    concat_ws(
                        '|', state.case_id, :'action'::text, :'person'::text, rfc3339(:'as_of'::timestamptz)
                    ),
                    'UTF8'
                )
            ),
            'hex'
        ),
        32
    ),
    case when :'action'::text in ('ban', 'forced_match', 'write_off') then 'proposed' else 'effective' end,
    :'action'::text, :'outcome'::text, state.subject_kind, state.subject_id, :'order_id'::text, :'charge_id'::text,
    state.currency, :'reason'::text, :'person'::text, :'account'::text, state.amount_milliunits, :'as_of'::timestamptz
from cases_at(:'as_of'::timestamptz) as state
where state.case_id = any(:'case_ids'::text[])
returning case_id, decision_id;
