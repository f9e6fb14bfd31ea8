-- purpose: possible assignees of a case: console accounts that may decide and have it in an inbox, and database logins that
--          may decide.
-- parameters: case_id (text)
-- grain:   one row per name
with gathered as (select console_cases.teams from console_cases where console_cases.case_id = :'case_id'::text)
select workers.account
from console_workers() as workers
where cardinality(workers.inboxes) = 0
    or exists (select 1 from gathered where gathered.teams && workers.inboxes)
union
select logins.rolname::text
from pg_roles as logins
inner join pg_roles as review on review.rolname = 'payrecon_review'
where logins.rolcanlogin
    and pg_has_role(logins.oid, review.oid, 'member')
order by account;
