-- purpose: Returns the number of cases in each list of the navigation, limited to an account's inboxes (none for all). A count
--          stops at most. Most of the plan is kept, because planning takes longer than counting and every page counts. Cases
--          awaiting approval and overdue ones are planned by inboxes: a kept plan would read all to find the few of a small team.
-- grain:   one row
create or replace function payrecon.console_counts(account text, inboxes text[], clock timestamptz, decisions bigint, most bigint)
returns table (mine bigint, approvals bigint, watching bigint, overdue bigint, following bigint)
language plpgsql stable
set plan_cache_mode = 'force_generic_plan'
as $$
declare
    approval_count bigint;
    overdue_count bigint;
begin
    execute $counts$
        select
            (
                select count(*)
                from (
                    select 1
                    from payrecon.console_cases as kept
                    where kept.status = 'waiting_approval'
                        and (cardinality($1) = 0 or kept.teams && $1)
                    limit $3
                ) as proposed
            ),
            (
                select count(*)
                from (
                    select 1
                    from payrecon.console_cases as kept
                    where kept.status in ('open', 'waiting_approval')
                        and kept.due_at < $2
                        and (kept.returns_at is null or kept.returns_at <= $2)
                        and (cardinality($1) = 0 or kept.teams && $1)
                    limit $3
                ) as overdue
            )
        $counts$ into approval_count, overdue_count using $2, $3, $5;
    return query
    with assigned_case as (
        select kept.case_id
        from payrecon.console_cases as kept
        where kept.assignee = $1
            and kept.status in ('open', 'waiting_approval')
        union
        select case_leases.case_id
        from payrecon.case_leases
        inner join payrecon.console_cases as kept on kept.case_id = case_leases.case_id
        where case_leases.person = $1
            and case_leases.lease_until > $3
            and kept.status in ('open', 'waiting_approval')
        limit $5
    ),
    unseen as (
        select 1
        from payrecon.followed_cases($1, $3, $5) as newest
        inner join payrecon.console_cases as kept on kept.case_id = newest.case_id
        left join payrecon.console_preferences as preferences on preferences.account = $1
        where newest.by_account <> $1
            and newest.at > coalesce(preferences.notices_seen_at, '-infinity')
            and (cardinality($2) = 0 or kept.teams && $2)
    )
    select
        (select count(*) from assigned_case),
        approval_count,
        (select count(*) from payrecon.watched_cases($3, $2, $4, $5)),
        overdue_count,
        (select count(*) from unseen);
end
$$;
