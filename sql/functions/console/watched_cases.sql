-- purpose: Returns cases under watch: decided by watching, contacting the customer or taking the goods back, and still with an
--          open break or signal; limited to teams (none for all), newest decision first. Reads the newest decisions only.
-- grain:   one row per case
create or replace function payrecon.watched_cases(clock timestamptz, inboxes text[], decisions bigint, row_limit bigint) returns table (
    case_id text, action text, reason text, at timestamptz
)
language sql stable parallel safe
as $$
    select latest.case_id, latest.action, latest.reason, latest.at
    from payrecon.latest_decisions(clock, '-infinity', decisions) as latest
    inner join payrecon.console_cases as kept on kept.case_id = latest.case_id
    where latest.action in ('watch', 'contact', 'take_back')
        and kept.status = 'closed'
        and kept.break_count + kept.signal_count > 0
        and (cardinality(inboxes) = 0 or kept.teams && inboxes)
    order by latest.at desc, kept.case_id
    limit row_limit
$$;
