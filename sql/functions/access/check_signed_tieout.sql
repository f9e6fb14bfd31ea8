-- purpose: Refuses to replace the tie-out that a closed period shows. A tie-out of a later clock is compared with it.
create or replace function payrecon.check_signed_tieout() returns trigger
language plpgsql
as $$
begin
    if exists (
        select 1
        from payrecon.closed_periods_at('infinity') as closed
        where closed.fiscal_period = old.fiscal_period
            and closed.tied_out_at = old.as_of
    ) then
        raise exception 'the tie-out of % as of % is signed; tie the period out at a later clock', old.fiscal_period,
            payrecon.rfc3339(old.as_of)
            using errcode = 'check_violation';
    end if;
    return old;
end
$$;

create or replace trigger check_signed before delete on payrecon.tieouts
for each row execute function payrecon.check_signed_tieout();
