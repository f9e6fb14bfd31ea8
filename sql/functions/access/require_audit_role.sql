-- purpose: Refuses an act of jobs, retention, erasure or migration by a login that may not act as the required role. Until
--          the roles are created, the login acts as all of them.
create or replace function payrecon.require_audit_role(act text) returns void
language plpgsql stable
as $$
declare
    wanted text := case
        when $1 in (
            'run_ended', 'report_written', 'settings_changed', 'rules_changed', 'evidence_sealed', 'evidence_judged', 'parked_retried',
            'parked_discarded', 'rule_tried', 'consumption_ended'
        ) then 'payrecon_jobs'
        when $1 = 'rows_removed' then 'payrecon_retain'
        when $1 = 'person_erased' then 'payrecon_erase'
        when $1 in ('migration_applied', 'functions_made', 'reference_made') then 'payrecon_migrate'
    end;
begin
    if exists (
        select 1
        from pg_roles
        where pg_roles.rolname = wanted
            and not pg_has_role(session_user, pg_roles.oid, 'member')
            and not pg_has_role(
                session_user, (select pg_class.relowner from pg_class where pg_class.oid = 'payrecon.audit_log'::regclass), 'member'
            )
    ) then
        raise exception 'only a member of % records "%"', wanted, $1 using errcode = 'insufficient_privilege';
    end if;
end
$$;
