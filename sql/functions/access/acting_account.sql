-- purpose: who acts: the account of the console's session whose secret this connection shows, else the login that the
--          database authenticated; "set role" changes neither. A secret of no session, or of one that is over, is refused.
-- note:    an account of the console and a login of the database are one person where their names are the same; whoever has
--          both under different names could be two, which is for whoever makes accounts to prevent.
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
