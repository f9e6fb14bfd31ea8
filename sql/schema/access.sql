-- purpose: roles, the owner of the schema, and the schema of past views. First of the baseline's files: all tables belong to the
--          owner. Rights on tables: sql/functions/access/grant_roles.sql.
-- note:    if the login may not create roles, an administrator creates them first; payrecon doctor lists the missing ones.
do $$
declare
    wanted text;
begin
    foreach wanted in array array[
        'payrecon_migrate', 'payrecon_jobs', 'payrecon_report', 'payrecon_review', 'payrecon_erase', 'payrecon_retain', 'payrecon_reader'
    ] loop
        if not exists (select 1 from pg_roles where rolname = wanted) then
            begin
                execute format('create role %I nologin', wanted);
            exception
                -- Another database of this cluster may be creating the same role.
                when duplicate_object or unique_violation or insufficient_privilege then null;
            end;
        end if;
        if exists (select 1 from pg_roles where rolname = wanted) then
            begin
                execute format('grant %I to %I', wanted, current_user);
            exception
                when insufficient_privilege or invalid_grant_operation or unique_violation then null;
            end;
        end if;
    end loop;
end
$$;

-- The owner. It also creates the tables of the other files.
do $$
begin
    if pg_has_role(current_user, 'payrecon_migrate', 'member') then
        execute format('grant create on database %I to payrecon_migrate', current_database());
        alter schema payrecon owner to payrecon_migrate;
        alter table payrecon.migrations owner to payrecon_migrate;
        set local role payrecon_migrate;
    end if;
exception
    -- The role is missing, or the login may not transfer ownership: the login stays the owner.
    when undefined_object or insufficient_privilege then null;
end
$$;

-- Views of the tables as known at the clock in the setting payrecon.as_of. Each view reads with the rights of its reader.
create schema payrecon_past;
grant usage on schema payrecon_past to public;
alter default privileges in schema payrecon_past grant select on tables to public;
