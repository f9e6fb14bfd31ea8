-- purpose: Refuses an act's clock that is before existing decisions, whose reports would change, or more than a year ahead
--          of the present and of those decisions.
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
    -- A clock ahead is allowed, but later acts on the case can never be before this one.
    if $1 > greatest(clock_timestamp(), decided) + interval '366 days' then
        raise exception 'refused to act as of %: it is more than a year ahead', payrecon.rfc3339($1)
            using errcode = 'check_violation';
    end if;
end
$$;
