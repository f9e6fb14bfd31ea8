-- purpose: the role that removes what is only operational, once the settings say that it is old enough.
-- rules:   it removes finished windows, their attempts and ended leases, and empties the bytes of parked input that was
--          decided; no fact, no decision, no report and no entry of the audit chain is within its reach.

-- Whoever migrates owns the schema and makes no roles; the login may.
do $$
declare
    owner text := current_user;
begin
    set local role none;
    if not exists (select from pg_roles where rolname = 'payrecon_retain') then
        begin
            create role payrecon_retain nologin;
        exception
            when duplicate_object or unique_violation or insufficient_privilege then null;
        end;
    end if;
    if exists (select from pg_roles where rolname = 'payrecon_retain') then
        begin
            execute format('grant payrecon_retain to %I', current_user);
        exception
            when insufficient_privilege or invalid_grant_operation or unique_violation then null;
        end;
    end if;
    execute format('set local role %I', owner);
end
$$;
