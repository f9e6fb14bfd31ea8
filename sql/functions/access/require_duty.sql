-- purpose: Refuses acts that the role of the console's account does not allow. A database login is limited by its own
--          rights, and has no administrator's duty here.
create or replace function payrecon.require_duty(duty text) returns void
language plpgsql stable parallel safe security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
declare
    secret text := current_setting('payrecon.session', true);
    found_role text;
begin
    if coalesce(secret, '') <> '' then
        select live.role into found_role from payrecon.console_session(secret) as live;
        if found_role is null then
            raise exception 'the session is over' using errcode = 'invalid_authorization_specification';
        end if;
    elsif $1 <> 'administer' then
        return;
    end if;
    if not coalesce(
        case $1
            when 'work' then found_role in ('analyst', 'finance', 'approver', 'admin')
            when 'conclude' then found_role in ('approver', 'admin')
            when 'administer' then found_role = 'admin'
        end,
        false
    ) then
        raise exception 'the role % does not allow to %', coalesce(found_role, 'of nobody'), $1
            using errcode = 'insufficient_privilege';
    end if;
end
$$;
