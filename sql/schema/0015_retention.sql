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

alter procedure payrecon.grant_roles() rename to grant_roles_of_audit;

-- What each role may do; called again by whoever makes a missing role later.
create procedure payrecon.grant_roles()
language plpgsql
as $$
begin
    call payrecon.grant_roles_of_audit();
    if exists (select from pg_roles where rolname = 'payrecon_retain') then
        grant usage on schema payrecon to payrecon_retain;
        grant select on
            payrecon.audit_log, payrecon.parked_items, payrecon.parked_outcomes, payrecon.job_windows,
            payrecon.job_attempts, payrecon.case_leases
        to payrecon_retain;
        grant insert on payrecon.audit_log to payrecon_retain;
        grant update (raw, header) on payrecon.parked_items to payrecon_retain;
        grant delete on payrecon.job_windows, payrecon.job_attempts, payrecon.case_leases to payrecon_retain;
        grant execute on function
            payrecon.rfc3339(timestamptz),
            payrecon.audit_hash(bigint, timestamptz, text, text, text, text, text, text),
            payrecon.audit_append(timestamptz, text, text, text, text)
        to payrecon_retain;
    end if;
end
$$;

call payrecon.grant_roles();
