-- purpose: what is mixed into the password of an account; one that is not there has one too, always the same.
create or replace function payrecon.console_salt(wanted text) returns text
language plpgsql stable security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
begin
    return coalesce(
        (select console_accounts.salt from payrecon.console_accounts where console_accounts.name = $1),
        (
            select left(encode(sha256(convert_to(console_key.key || '|' || $1, 'UTF8')), 'hex'), 32)
            from payrecon.console_key
        )
    );
end
$$;

-- Opens a session for whoever shows what scrypt makes of the account's password: 'opened', 'refused' or, after too many
-- failures of this account from this address (5), from this address (20) or of this account (50) within a quarter of an
-- hour, 'throttled' without a look at the password.
create or replace function payrecon.console_open(
    wanted text, proof text, secret_sha256 text, address text
) returns text
language plpgsql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
declare
    name_sha256 text := encode(sha256(convert_to($1, 'UTF8')), 'hex');
    is_throttled boolean;
begin
    -- Attempts wait for each other, so that many at once are counted, too.
    perform pg_advisory_xact_lock(1885434754);
    delete from payrecon.console_refusals as old where old.at < clock_timestamp() - interval '15 minutes';
    select
        count(*) filter (where failed.account_sha256 = name_sha256 and failed.address = $4) >= 5
        or count(*) filter (where failed.address = $4) >= 20
        or count(*) filter (where failed.account_sha256 = name_sha256) >= 50
    into is_throttled
    from payrecon.console_refusals as failed;
    if is_throttled then
        return 'throttled';
    end if;
    insert into payrecon.console_sessions (secret_sha256, account, address, opened_at, seen_at, expires_at)
    select $3, console_accounts.name, $4, clock_timestamp(), clock_timestamp(), clock_timestamp() + interval '12 hours'
    from payrecon.console_accounts
    where console_accounts.name = $1
        and console_accounts.disabled_at is null
        and console_accounts.verifier = encode(sha256(convert_to($2, 'UTF8')), 'hex');
    if found then
        return 'opened';
    end if;
    insert into payrecon.console_refusals (account_sha256, address, at) values (name_sha256, $4, clock_timestamp());
    return 'refused';
end
$$;
