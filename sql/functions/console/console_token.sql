-- purpose: Creates a token with which a program acts as an account. A token is a session without idle limit. Only a session
--          opened with a password can create one. The token is shown once and stored as a hash.
create or replace function payrecon.console_make_token(
    secret_sha256 text, called text, days bigint, peer text, count_max bigint
) returns boolean
language plpgsql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
declare
    wanted text := payrecon.acting_account();
begin
    -- Neither tokens nor database logins can create tokens.
    if not exists (
        select 1
        from payrecon.console_sessions
        where console_sessions.secret_sha256 = payrecon.text_sha256(current_setting('payrecon.session', true))
            and console_sessions.kind = 'browser'
    ) then
        raise exception 'only whoever logged in makes a token' using errcode = 'insufficient_privilege';
    end if;
    -- Serializes creation per account, so that tokens can be counted.
    perform 1 from payrecon.console_accounts where console_accounts.name = wanted for update;
    if (select count(*) from payrecon.console_tokens()) >= $5 then
        return false;
    end if;
    insert into payrecon.console_sessions (secret_sha256, account, address, opened_at, seen_at, expires_at, kind, called)
    values (
        $1, wanted, $4, clock_timestamp(), clock_timestamp(),
        clock_timestamp() + make_interval(days => least($3, 365)::integer), 'token', $2
    );
    return true;
end
$$;

-- Returns the active tokens of the acting account; the id is the prefix of a hash of the token's hash.
create or replace function payrecon.console_tokens() returns table (
    token text, name text, made_at timestamptz, seen_at timestamptz, expires_at timestamptz
)
language sql stable security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
    select left(console_sessions.secret_sha256, 16), console_sessions.called, console_sessions.opened_at,
        console_sessions.seen_at, console_sessions.expires_at
    from payrecon.console_sessions
    where console_sessions.account = payrecon.acting_account()
        and console_sessions.kind = 'token'
        and console_sessions.ended_at is null
        and console_sessions.expires_at > clock_timestamp()
    order by console_sessions.opened_at, console_sessions.secret_sha256
$$;

create or replace function payrecon.console_end_token(wanted text) returns bigint
language sql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
    with ended as (
        update payrecon.console_sessions
        set ended_at = clock_timestamp()
        where console_sessions.account = payrecon.acting_account()
            and console_sessions.kind = 'token'
            and console_sessions.ended_at is null
            and left(console_sessions.secret_sha256, 16) = $1
        returning 1
    )
    select count(*) from ended
$$;
