-- purpose: saves a filter of the queue under a name, replacing the one of that name.
-- parameters: name, query (text), is_shared (boolean), views (bigint): limit per account
-- grain:   one row; none if the account is at the limit
insert into console_views as kept (account, name, query, is_shared)
select acting_account(), :'name'::text, :'query'::text, :'is_shared'::boolean
where (
    select count(*)
    from console_views
    where console_views.account = acting_account()
        and console_views.name <> :'name'::text
) < :'views'::bigint
on conflict (account, name) do update
set
    query = excluded.query,
    is_shared = excluded.is_shared,
    saved_at = clock_timestamp();
