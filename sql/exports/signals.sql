-- purpose: export of signals as known at an instant, open and lapsed.
-- parameters: as_of (timestamptz)
-- grain:   one row per signal
select
    state.signal_id, state.rule, state.version, state.state, state.status, state.subject_kind, state.subject_id, state.bundle_id,
    state.user_id, state.order_id, state.charge_id, state.score, state.amount_milliunits, state.currency,
    rfc3339(state.happened_at) as happened_at, rfc3339(state.raised_at) as raised_at, rfc3339(state.lapsed_at) as lapsed_at,
    state.detail, state.inputs, state.parameters
from v_signals_at(:'as_of'::timestamptz) as state
order by state.rule collate "C", state.subject_kind collate "C", state.subject_id collate "C";
