-- purpose: Appends an entry and returns its number; the only way to write the audit chain. The database sets the number, the
--          login, its clock and the hash. The caller names the act, which the act's table must confirm.
-- note:    the lock serializes writers until their transactions end; the statement after it sees the previous writer's
--          commit. A transaction with an older snapshot must be retried (40001).
create or replace function payrecon.audit_append(
    at timestamptz, actor text, act text, subject text, details text
) returns bigint
language plpgsql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
declare
    entry bigint;
    -- The authenticated identity, also for the console.
    login text := payrecon.acting_account();
    fault text;
begin
    perform payrecon.require_audit_role($3);
    if json_typeof($5::json) <> 'object' then
        raise exception 'the details of an entry are a JSON object' using errcode = 'check_violation';
    end if;
    fault := payrecon.audit_fault($1, login, $3, $4, $5);
    if fault is not null then
        raise exception 'could not append "%" of "%": %', $3, $4, fault using errcode = 'check_violation';
    end if;
    perform pg_advisory_xact_lock(1885434753);
    insert into payrecon.audit_log (number, at, actor, login, act, subject, details, previous_hash, hash, recorded_at)
    select
        next.number, $1, $2, login, $3, $4, $5, next.previous_hash,
        payrecon.audit_hash(next.number, $1, $2, login, $3, $4, $5, next.previous_hash, next.recorded_at),
        next.recorded_at
    from (
        select coalesce(max(last.number), 0) + 1 as number, coalesce(max(last.hash), '') as previous_hash,
            clock_timestamp() as recorded_at
        from (select log.number, log.hash from payrecon.audit_log as log order by log.number desc limit 1) as last
    ) as next
    returning audit_log.number into entry;
    return entry;
exception
    when unique_violation then
        raise exception 'the audit chain went on beside this transaction' using errcode = 'serialization_failure';
end
$$;
