-- purpose: Returns cases under watch: decided by watching, contacting the customer or taking the goods back, and still with an
--          open break or signal; limited to teams (none for all), newest decision first. Reads the newest decisions only.
-- grain:   one row per case
create or replace function payrecon.watched_cases(clock timestamptz, inboxes text[], decisions bigint, row_limit bigint) returns table (
    case_id text, action text, reason text, at timestamptz
)
language sql stable parallel safe
as $$
    with newest as materialized (
        select effective.case_id, effective.decision_id, effective.action, effective.reason, effective.at
        from payrecon.effective_decisions_at(clock) as effective
        order by effective.at desc
        limit decisions
    ),
    ended as (
        select distinct on (newest.case_id) newest.*
        from newest
        order by newest.case_id asc, newest.at desc, newest.decision_id asc
    )
    select ended.case_id, ended.action, ended.reason, ended.at
    from ended
    inner join payrecon.console_cases as kept on kept.case_id = ended.case_id
    where ended.action in ('watch', 'contact', 'take_back')
        and kept.status = 'closed'
        and kept.break_count + kept.signal_count > 0
        and (cardinality(inboxes) = 0 or kept.teams && inboxes)
    order by ended.at desc, ended.case_id
    limit row_limit
$$;
