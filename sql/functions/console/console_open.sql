-- purpose: Returns whether log-ins of an account are refused without checking the password. The limits are failures within a
--          quarter of an hour: for the account from this address (5), for the account from anywhere (20), and from this
--          address, which many people may share (100).
create or replace function payrecon.console_is_throttled(name_sha256 text, peer text) returns boolean
language sql stable security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
    select
        count(*) filter (where failed.account_sha256 = $1 and failed.address = $2) >= 5
        or count(*) filter (where failed.account_sha256 = $1) >= 20
        or count(*) filter (where failed.address = $2) >= 100
    from payrecon.console_refusals as failed
    where failed.at > clock_timestamp() - interval '15 minutes'
        and (failed.account_sha256 = $1 or failed.address = $2)
$$;

-- Returns the salt of an account's password. An unknown account has a constant salt. The result is empty while log-ins are
-- refused, so that nobody can make this host hash passwords endlessly.
create or replace function payrecon.console_salt(wanted text, peer text) returns text
language plpgsql stable security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
begin
    if payrecon.console_is_throttled(payrecon.text_sha256($1), $2) then
        return '';
    end if;
    return coalesce(
        (select console_accounts.salt from payrecon.console_accounts where console_accounts.name = $1),
        (
            select left(payrecon.text_sha256(console_key.key || '|' || $1), 32)
            from payrecon.console_key
        )
    );
end
$$;

-- Opens a session for a caller with the scrypt proof of the account's password: 'opened', 'refused' or 'throttled'. Unknown
-- accounts and wrong passwords are refused alike.
create or replace function payrecon.console_open(
    wanted text, proof text, secret_sha256 text, peer text
) returns text
language plpgsql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
declare
    name_sha256 text := payrecon.text_sha256($1);
begin
    -- Serializes attempts, so that concurrent ones are counted too.
    perform pg_advisory_xact_lock(1885434790);
    delete from payrecon.console_refusals as old where old.at < clock_timestamp() - interval '15 minutes';
    delete from payrecon.console_sessions as old where old.expires_at < clock_timestamp() - interval '30 days';
    if payrecon.console_is_throttled(name_sha256, $4) then
        return 'throttled';
    end if;
    insert into payrecon.console_sessions (secret_sha256, account, address, opened_at, seen_at, expires_at)
    select $3, console_accounts.name, $4, clock_timestamp(), clock_timestamp(), clock_timestamp() + interval '12 hours'
    from payrecon.console_accounts
    where console_accounts.name = $1
        and console_accounts.disabled_at is null
        and console_accounts.verifier = payrecon.text_sha256($2);
    if found then
        return 'opened';
    end if;
    insert into payrecon.console_refusals (account_sha256, address, at) values (name_sha256, $4, clock_timestamp());
    return 'refused';
end
$$;
