-- purpose: Returns the acting account: that of the console session whose secret this connection presents, else the
--          authenticated database login; "set role" changes neither. Refuses a secret without an active session.
-- note:    a console account and a database login of the same name are one person. A person with two different names would
--          count as two; the administrator who creates accounts has to prevent that.
create or replace function payrecon.acting_account() returns text
language plpgsql stable parallel safe security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
declare
    secret text := current_setting('payrecon.session', true);
    found_account text;
begin
    if coalesce(secret, '') = '' then
        return session_user::text;
    end if;
    select live.account into found_account from payrecon.console_session(secret) as live;
    if found_account is null then
        raise exception 'the session is over' using errcode = 'invalid_authorization_specification';
    end if;
    return found_account;
end
$$;
