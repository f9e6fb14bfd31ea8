-- purpose: appends an entry and returns its number. The lock makes writers wait for each other until their transactions
--          end; the statement after it sees what the one before committed. A transaction that goes on seeing what was there
--          before is to be tried again (40001).
create or replace function payrecon.audit_append(
    at timestamptz, actor text, act text, subject text, details text
) returns bigint
language plpgsql volatile
as $$
declare
    entry bigint;
begin
    perform pg_advisory_xact_lock(1885434753);
    insert into payrecon.audit_log (number, at, actor, login, act, subject, details, previous_hash, hash)
    select
        next.number, $1, $2, next.login, $3, $4, $5, next.previous_hash,
        payrecon.audit_hash(next.number, $1, $2, next.login, $3, $4, $5, next.previous_hash)
    from (
        select coalesce(max(last.number), 0) + 1 as number, coalesce(max(last.hash), '') as previous_hash,
            -- Who the database knows it is, over the console too.
            payrecon.acting_account() as login
        from (select log.number, log.hash from payrecon.audit_log as log order by log.number desc limit 1) as last
    ) as next
    returning audit_log.number into entry;
    return entry;
exception
    when unique_violation then
        raise exception 'the audit chain went on beside this transaction' using errcode = 'serialization_failure';
end
$$;
