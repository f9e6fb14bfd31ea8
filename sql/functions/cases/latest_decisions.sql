-- purpose: Returns the latest effective decision of each case, among the newest decisions from an instant up to a clock.
-- parameters: clock, since (timestamptz), decisions (bigint): how many of the newest decisions are read; null for all
-- grain:   one row per case
create or replace function payrecon.latest_decisions(clock timestamptz, since timestamptz, decisions bigint) returns table (
    case_id text, action text, outcome text, account text, person text, reason text, at timestamptz
)
language sql stable parallel safe
as $$
    with newest as materialized (
        select effective.*
        from payrecon.effective_decisions_at(clock) as effective
        where effective.at >= since
        order by effective.at desc
        limit decisions
    )
    select distinct on (newest.case_id)
        newest.case_id, newest.action, newest.outcome, newest.account, coalesce(newest.approved_by, newest.decided_by), newest.reason,
        newest.at
    from newest
    order by newest.case_id asc, newest.at desc, newest.decision_id asc
$$;
