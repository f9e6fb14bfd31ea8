-- purpose: refuses the clock of a reviewer's act that is before decisions already made, as reports of that clock would change, or
--          more than a year ahead of the present and of those decisions.
create or replace function payrecon.require_clock(at timestamptz) returns void
language plpgsql stable
as $$
declare
    decided timestamptz := (select last.as_of from payrecon.last_decided() as last);
begin
    if $1 < decided then
        raise exception 'refused to act as of %: decisions were made as of %', payrecon.rfc3339($1), payrecon.rfc3339(decided)
            using errcode = 'check_violation';
    end if;
    -- Somebody may look ahead, but later acts on the case are never before this one.
    if $1 > greatest(clock_timestamp(), decided) + interval '366 days' then
        raise exception 'refused to act as of %: it is more than a year ahead', payrecon.rfc3339($1)
            using errcode = 'check_violation';
    end if;
end
$$;
