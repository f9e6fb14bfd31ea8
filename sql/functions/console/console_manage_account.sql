-- purpose: Creates or changes a console account. Returns 1, or 0 if a new name is taken or there is no such active account.
--          The acts are add, change (role and inboxes), disable, password, unlock, and address (empty for none). Disabling
--          an account or changing its password ends its sessions. Callers without rights on the tables are refused.
create or replace function payrecon.console_manage_account(
    act text, account text, role text, inboxes text[], salt text, verifier text, actor text, mail_address text,
    as_of timestamptz
) returns bigint
language plpgsql volatile
set search_path = payrecon, pg_catalog, pg_temp
as $$
declare
    found_name text;
begin
    if $1 = 'add' then
        -- A disabled account keeps its name, and names that differ only in case are one person.
        if exists (select 1 from payrecon.console_accounts as taken where payrecon.person_key(taken.name) = payrecon.person_key($2)) then
            return 0;
        end if;
        insert into payrecon.console_accounts (name, role, inboxes, salt, verifier, added_by, added_at)
        values ($2, $3, $4, $5, $6, $7, $9);
        return 1;
    end if;
    select console_accounts.name into found_name
    from payrecon.console_accounts
    where console_accounts.name = $2
        and console_accounts.disabled_at is null
    for update;
    if found_name is null then
        return 0;
    end if;
    case $1
        when 'change' then
            update payrecon.console_accounts set role = $3, inboxes = $4 where console_accounts.name = $2;
        when 'disable' then
            update payrecon.console_accounts set disabled_at = $9 where console_accounts.name = $2;
        when 'password' then
            update payrecon.console_accounts
            set
                salt = $5,
                verifier = $6,
                password_set_by = null
            where console_accounts.name = $2;
        when 'address' then
            update payrecon.console_accounts set mail_address = nullif($8, '') where console_accounts.name = $2;
        when 'unlock' then
            null;
    end case;
    if $1 in ('disable', 'password') then
        update payrecon.console_sessions
        set ended_at = clock_timestamp()
        where console_sessions.account = $2
            and console_sessions.ended_at is null;
    end if;
    if $1 in ('password', 'unlock') then
        delete from payrecon.console_refusals
        where console_refusals.account_sha256 = payrecon.text_sha256($2);
    end if;
    return 1;
end
$$;

-- Does the same for an administrator of the console, who cannot change or disable the own account; every account sets its own
-- mail address. The administrator knows a
-- password that it sets, so it counts as the account's person in decisions of two until the account changes the password.
create or replace function payrecon.console_administer_account(
    act text, account text, role text, inboxes text[], salt text, verifier text, actor text, mail_address text,
    as_of timestamptz
) returns bigint
language plpgsql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
declare
    done bigint;
begin
    if $1 <> 'address' or $2 <> payrecon.acting_account() then
        perform payrecon.require_duty('administer');
    end if;
    if $1 in ('change', 'disable', 'password') and $2 = payrecon.acting_account() then
        raise exception 'an administrator does not % the own account', $1 using errcode = 'insufficient_privilege';
    end if;
    done := payrecon.console_manage_account($1, $2, $3, $4, $5, $6, payrecon.acting_account(), $8, $9);
    if done = 1 and $1 in ('add', 'password') then
        update payrecon.console_accounts set password_set_by = payrecon.acting_account() where console_accounts.name = $2;
    end if;
    return done;
end
$$;

-- Changes the password of the acting account for a caller with the scrypt proof of the present one. Its other sessions end.
create or replace function payrecon.console_change_password(proof text, salt text, verifier text) returns text
language plpgsql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
declare
    wanted text := payrecon.acting_account();
    name_sha256 text := payrecon.text_sha256(wanted);
    own_secret text := payrecon.text_sha256(current_setting('payrecon.session', true));
begin
    perform pg_advisory_xact_lock(1885434790);
    if payrecon.console_is_throttled(name_sha256, 'console') then
        return 'throttled';
    end if;
    update payrecon.console_accounts
    set
        salt = $2,
        verifier = $3,
        password_set_by = null
    where console_accounts.name = wanted
        and console_accounts.disabled_at is null
        and console_accounts.verifier = payrecon.text_sha256($1);
    if not found then
        insert into payrecon.console_refusals (account_sha256, address, at) values (name_sha256, 'console', clock_timestamp());
        return 'refused';
    end if;
    update payrecon.console_sessions
    set ended_at = clock_timestamp()
    where console_sessions.account = wanted
        and console_sessions.ended_at is null
        and console_sessions.kind = 'browser'
        and console_sessions.secret_sha256 <> own_secret;
    return 'opened';
end
$$;

-- Returns who knows the password of an account: the administrator who set it, else the account itself.
create or replace function payrecon.console_keeper(wanted text) returns text
language sql stable security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
    select coalesce((select console_accounts.password_set_by from payrecon.console_accounts where console_accounts.name = $1), $1)
$$;
