-- purpose: breaks for other programs: the columns of the export, as values. At a clock, and now.
create or replace function payrecon.v_breaks_at(clock timestamptz) returns table (
    break_id text, class text, severity text, status text, opened_on date, age_days bigint, bundle_id text,
    environment text, order_id text, charge_id text, transaction_id text, user_id text, amount_milliunits bigint,
    currency text, detail text, age_bucket text, opened_at timestamptz, due_at timestamptz, owner_team text,
    runbook text, resolved_at timestamptz, case_id text, decided_by text, approved_by text, decided_at timestamptz,
    reason text, until timestamptz
)
language sql stable parallel safe
as $$
    select
        state.break_id, state.class, state.severity, state.status, (state.opened_at at time zone 'UTC')::date,
        greatest(0, floor(extract(epoch from clock - state.opened_at) / 86400))::bigint, state.bundle_id,
        state.environment, state.order_id, state.charge_id, state.transaction_id, state.user_id,
        state.amount_milliunits, state.currency, payrecon.english(state.detail), payrecon.age_bucket(clock, state.opened_at),
        state.opened_at, state.opened_at + make_interval(hours => break_classes.due_hours), break_classes.owner_team,
        break_classes.runbook, case when not state.is_open then state.as_of end, state.case_id, state.decided_by,
        state.approved_by, state.decided_at, state.reason, state.holds_until
    from payrecon.breaks_at(clock) as state
    inner join payrecon.break_classes on break_classes.class = state.class
$$;

create or replace view payrecon.v_breaks with (security_invoker = true) as
select * from payrecon.v_breaks_at((select payrecon.contract_clock()));
