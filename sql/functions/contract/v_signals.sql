-- purpose: signals for other programs: the columns of the export, as values. At a clock, and now.
create or replace function payrecon.v_signals_at(clock timestamptz) returns table (
    signal_id text, rule text, version integer, state text, status text, subject_kind text, subject_id text,
    bundle_id text, user_id text, order_id text, charge_id text, score bigint, amount_milliunits bigint, currency text,
    happened_at timestamptz, raised_at timestamptz, lapsed_at timestamptz, detail text, inputs text, parameters text
)
language sql stable parallel safe
as $$
    select
        state.signal_id, state.rule, state.rule_version, state.state,
        case when state.is_open then 'open' else 'lapsed' end, state.subject_kind, state.subject_id, state.bundle_id,
        state.user_id, state.order_id, state.charge_id, state.score, state.amount_milliunits, state.currency,
        state.happened_at, state.raised_at, case when not state.is_open then state.as_of end,
        payrecon.english(state.detail), state.inputs, state.parameters
    from payrecon.signals_at(clock) as state
$$;

create or replace view payrecon.v_signals with (security_invoker = true) as
select * from payrecon.v_signals_at((select payrecon.contract_clock()));
