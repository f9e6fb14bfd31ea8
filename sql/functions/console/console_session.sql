-- purpose: Returns the account of a session's secret while the session is active: not ended, not expired, used within the
--          last half hour unless it is a token, and its account not disabled.
create or replace function payrecon.console_session(secret text) returns table (
    account text, role text, inboxes text[], seen_at timestamptz
)
language plpgsql stable parallel safe security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
begin
    return query
    select console_accounts.name, console_accounts.role, console_accounts.inboxes, console_sessions.seen_at
    from payrecon.console_sessions
    inner join payrecon.console_accounts on console_accounts.name = console_sessions.account
    where console_sessions.secret_sha256 = payrecon.text_sha256($1)
        and console_sessions.ended_at is null
        and console_sessions.expires_at > clock_timestamp()
        and (console_sessions.kind = 'token' or console_sessions.seen_at > clock_timestamp() - interval '30 minutes')
        and console_accounts.disabled_at is null;
end
$$;

-- Returns the session and records its use; is_by_proxy restricts the session to the proxy's socket.
create or replace function payrecon.console_seen(secret text) returns table (
    account text, role text, inboxes text[], is_by_proxy boolean
)
language plpgsql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
begin
    update payrecon.console_sessions
    set seen_at = clock_timestamp()
    from payrecon.console_session($1) as live
    where console_sessions.secret_sha256 = payrecon.text_sha256($1)
        and live.seen_at < clock_timestamp() - interval '1 minute';
    return query
    select live.account, live.role, live.inboxes, console_sessions.is_by_proxy
    from payrecon.console_session($1) as live
    inner join payrecon.console_sessions on console_sessions.secret_sha256 = payrecon.text_sha256($1);
end
$$;

-- Ends a session by its secret.
create or replace function payrecon.console_end(secret text) returns void
language sql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
    update payrecon.console_sessions
    set ended_at = clock_timestamp()
    where console_sessions.secret_sha256 = payrecon.text_sha256($1)
        and console_sessions.ended_at is null
$$;

-- Returns the accounts and their sessions for administrators, without secrets or their hashes; is_locked: log-ins are
-- refused from some or all addresses.
create or replace function payrecon.console_people() returns table (
    account text, role text, inboxes text[], disabled_at timestamptz, session_count bigint, seen_at timestamptz, is_locked boolean,
    mail_address text
)
language plpgsql stable security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
begin
    perform payrecon.require_duty('administer');
    return query
    select console_accounts.name, console_accounts.role, console_accounts.inboxes, console_accounts.disabled_at,
        count(console_sessions.account), max(console_sessions.seen_at),
        exists (
            select 1
            from payrecon.console_refusals as failed
            where failed.account_sha256 = payrecon.text_sha256(console_accounts.name)
                and payrecon.console_is_throttled(failed.account_sha256, failed.address)
        ),
        console_accounts.mail_address
    from payrecon.console_accounts
    left join payrecon.console_sessions
        on console_sessions.account = console_accounts.name
        and console_sessions.ended_at is null
        and console_sessions.expires_at > clock_timestamp()
    group by console_accounts.name
    order by console_accounts.name;
end
$$;

-- Ends all sessions of an account: an administrator those of any account, other accounts only their own.
create or replace function payrecon.console_end_all(wanted text) returns void
language plpgsql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
begin
    if $1 <> payrecon.acting_account() then
        perform payrecon.require_duty('administer');
    end if;
    update payrecon.console_sessions
    set ended_at = clock_timestamp()
    where console_sessions.account = $1
        and console_sessions.ended_at is null;
end
$$;

-- Returns the console accounts that may decide, with their inboxes.
create or replace function payrecon.console_workers() returns table (account text, inboxes text[])
language sql stable security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
    select console_accounts.name, console_accounts.inboxes
    from payrecon.console_accounts
    where console_accounts.disabled_at is null
        and console_accounts.role <> 'reader'
$$;

-- Returns the mail address of the acting account; null for none.
create or replace function payrecon.console_own_address() returns text
language plpgsql stable security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
begin
    return (
        select console_accounts.mail_address
        from payrecon.console_accounts
        where console_accounts.name = payrecon.acting_account()
    );
end
$$;

-- Returns the mail addresses of active accounts, for the job that sends their notifications.
create or replace function payrecon.console_mail_addresses() returns table (account text, mail_address text)
language sql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
    select console_accounts.name, console_accounts.mail_address
    from payrecon.console_accounts
    where console_accounts.disabled_at is null
        and console_accounts.mail_address is not null
$$;
