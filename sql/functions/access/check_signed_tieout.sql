-- purpose: Refuses to add, change or remove a tie-out that signed reports show. They show the tie-outs of all periods up to
--          their clock, and they can be written again, even after a reopening.
create or replace function payrecon.check_signed_tieout() returns trigger
language plpgsql
as $$
declare
    first_clock timestamptz := case tg_op
        when 'INSERT' then new.as_of
        when 'DELETE' then old.as_of
        else least(old.as_of, new.as_of)
    end;
    signed_as_of timestamptz;
begin
    -- A close in another transaction either sees this tie-out or is seen here.
    perform pg_advisory_xact_lock_shared(1885434792);
    signed_as_of := payrecon.signed_clock();
    if first_clock <= signed_as_of then
        raise exception 'could not tie out as of %: the reports of a close as of % are signed; tie out at a later clock',
            payrecon.rfc3339(first_clock), payrecon.rfc3339(signed_as_of)
            using errcode = 'check_violation', constraint = 'signed_tieout';
    end if;
    return case when tg_op = 'DELETE' then old else new end;
end
$$;

create or replace trigger check_signed before insert or update or delete on payrecon.tieouts
for each row execute function payrecon.check_signed_tieout();
