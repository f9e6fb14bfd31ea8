-- purpose: roles that do not exist or that the login is no member of.
-- parameters: roles (text[])
-- grain:   one row per role
select wanted.role
from unnest(:'roles'::text[]) as wanted (role)
left join pg_roles on pg_roles.rolname = wanted.role
where pg_roles.oid is null
    or not pg_has_role(current_user, pg_roles.oid, 'MEMBER')
order by wanted.role;
