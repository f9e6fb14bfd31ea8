-- purpose: Opens a session for the account named by a proxy with its key: 'opened', or 'refused' for an unknown or ended key
--          and for a missing or disabled account.
create or replace function payrecon.console_open_by_proxy(
    wanted text, key text, secret_sha256 text, peer text
) returns text
language plpgsql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
begin
    delete from payrecon.console_sessions as old where old.expires_at < clock_timestamp() - interval '30 days';
    insert into payrecon.console_sessions (secret_sha256, account, address, opened_at, seen_at, expires_at, is_by_proxy)
    select $3, console_accounts.name, $4, clock_timestamp(), clock_timestamp(), clock_timestamp() + interval '12 hours', true
    from payrecon.console_accounts
    where console_accounts.name = $1
        and console_accounts.disabled_at is null
        and exists (
            select 1
            from payrecon.console_proxy_keys
            where console_proxy_keys.key_sha256 = payrecon.text_sha256($2)
                and console_proxy_keys.ended_at is null
        );
    return case when found then 'opened' else 'refused' end;
end
$$;
