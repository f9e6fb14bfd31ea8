-- purpose: keys of proxies that say who is in front of them: whoever shows one opens sessions of the console without a password.
--          Hashes alone are kept; one key lives at a time.
create table payrecon.console_proxy_keys (
    key_sha256 text collate "C" not null,
    made_by text collate "C" not null,
    made_at timestamptz not null,
    ended_at timestamptz,
    constraint console_proxy_keys_pkey primary key (key_sha256),
    constraint console_proxy_keys_key check (key_sha256 ~ '^[0-9a-f]{64}$')
);
create unique index console_proxy_keys_one on payrecon.console_proxy_keys ((true)) where ended_at is null;
