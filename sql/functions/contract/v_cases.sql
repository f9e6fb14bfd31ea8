-- purpose: cases for other programs: the columns of the export, as values. At a clock, and now.
create or replace function payrecon.v_cases_at(clock timestamptz) returns table (
    case_id text, status text, subject_kind text, subject_id text, user_id text, severity text, signal_count bigint,
    break_count bigint, names text, amount_milliunits numeric, currency text, opened_at timestamptz, due_at timestamptz,
    taken_by text, lease_until timestamptz, action text, outcome text, reason text, decided_by text,
    decided_at timestamptz, approved_by text, approved_at timestamptz, bundle_ids text
)
language sql stable parallel safe
as $$
    select
        state.case_id, state.status, state.subject_kind, state.subject_id,
        case when state.subject_kind = 'user' then state.subject_id end,
        payrecon.severity_of(state.rank), state.signal_count, state.break_count, state.names,
        state.amount_milliunits, state.currency, state.opened_at, state.due_at, state.taken_by, state.lease_until,
        state.action, state.outcome, state.reason, state.decided_by, state.decided_at, state.approved_by,
        state.approved_at, state.bundle_ids
    from payrecon.cases_at(clock) as state
$$;

create or replace view payrecon.v_cases with (security_invoker = true) as
select * from payrecon.v_cases_at((select payrecon.contract_clock()));
