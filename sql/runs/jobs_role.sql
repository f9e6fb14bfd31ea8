-- purpose: whether the login may act as payrecon_jobs, the role that can add facts but not change them.
-- parameters: none
-- grain:   one row
select coalesce(
    (select pg_has_role(current_user, pg_roles.oid, 'MEMBER') from pg_roles where rolname = 'payrecon_jobs'), false
);
