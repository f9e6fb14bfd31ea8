-- purpose: number of cases in each list of the navigation, limited to an account's inboxes. A count stops at a limit.
-- parameters: account (text), inboxes (text[]): none for all; as_of (timestamptz), decisions (bigint): how many of the newest
--             decisions are read; most (bigint): largest count
-- grain:   one row
with mine as (
    select kept.case_id
    from console_cases as kept
    where kept.assignee = :'account'::text
        and kept.status in ('open', 'waiting_approval')
    union
    select case_leases.case_id
    from case_leases
    inner join console_cases as kept on kept.case_id = case_leases.case_id
    where case_leases.person = :'account'::text
        and case_leases.lease_until > :'as_of'::timestamptz
        and kept.status in ('open', 'waiting_approval')
    limit :'most'::bigint
),
proposed as (
    select 1
    from console_cases as kept
    where kept.status = 'waiting_approval'
        and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
    limit :'most'::bigint
),
overdue as (
    select 1
    from console_cases as kept
    where kept.status in ('open', 'waiting_approval')
        and kept.due_at < :'as_of'::timestamptz
        and (kept.returns_at is null or kept.returns_at <= :'as_of'::timestamptz)
        and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
    limit :'most'::bigint
),
unseen as (
    select 1
    from followed_cases(:'account'::text, :'as_of'::timestamptz, :'most'::bigint) as newest
    inner join console_cases as kept on kept.case_id = newest.case_id
    left join console_preferences as preferences on preferences.account = :'account'::text
    where newest.by_account <> :'account'::text
        and newest.at > coalesce(preferences.notices_seen_at, '-infinity')
        and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
)
select
    (select count(*) from mine) as mine,
    (select count(*) from proposed) as approvals,
    (select count(*) from watched_cases(:'as_of'::timestamptz, :'inboxes'::text[], :'decisions'::bigint, :'most'::bigint)) as watching,
    (select count(*) from overdue) as overdue,
    (select count(*) from unseen) as following;
