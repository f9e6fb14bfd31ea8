-- purpose: possible assignees of a case: console accounts that may decide and have it in an inbox, and database logins that
--          may decide.
-- parameters: case_id (text)
-- grain:   one row per name
select workers.account
from console_workers() as workers
where cardinality(workers.inboxes) = 0
    or exists (
        select 1 from console_cases as kept where kept.case_id = :'case_id'::text and kept.teams && workers.inboxes
    )
union
select logins.rolname::text
from pg_roles as logins
inner join pg_roles as review on review.rolname = 'payrecon_review'
where logins.rolcanlogin
    and pg_has_role(logins.oid, review.oid, 'member')
order by account;
