-- purpose: database logins that may approve decisions; two distinct ones satisfy the two-person rule.
-- grain:   one row per login that may act as payrecon_review
select
    logins.rolname::text as account,
    logins.rolname = session_user as is_this,
    logins.rolsuper as is_superuser
from pg_roles as logins
inner join pg_roles as review on review.rolname = 'payrecon_review'
where logins.rolcanlogin
    and pg_has_role(logins.oid, review.oid, 'member')
order by logins.rolname collate "C";
