-- purpose: The audit chain, and the tombstones of erased users.

-- Entries of the chain; each contains the hash of the previous one. Entries are never changed or removed.
-- grain: one row per entry
create table payrecon.audit_log (
    number bigint not null,                   -- Number of the entry, without gaps
    at timestamptz not null,                  -- Clock of the act, chosen by its author
    actor text collate "C" not null,          -- Acting person or job, as named
    login text collate "C" not null,          -- Database login
    act text collate "C" not null,            -- Kind of act
    subject text collate "C" not null,        -- Subject of the act
    details text collate "C" not null,        -- Further facts, a JSON object
    previous_hash text collate "C" not null,  -- Hash of the previous entry; empty for the first
    hash text collate "C" not null,           -- Hash of the other columns
    recorded_at timestamptz not null,         -- Server's clock; part of the hash
    constraint audit_log_pkey primary key (number),
    constraint audit_log_hash_key unique (hash)
);
-- Finds the entries of one kind of act.
create index audit_log_act_idx on payrecon.audit_log (act, number);

-- Tombstones of erased users.
-- grain: one row per person
create table payrecon.erased_users (
    user_hash text collate "C" not null,  -- Keyed hash of the user id
    pseudonym text collate "C" not null,  -- Name that replaces the user id in our books
    erased_at timestamptz not null,       -- Clock of the act
    constraint erased_users_pkey primary key (user_hash)
);

-- Key of those hashes; without it nobody can test user ids.
-- grain: one row
create table payrecon.erasure_key (
    key text collate "C" not null,  -- Random text
    constraint erasure_key_pkey primary key (key)
);
insert into payrecon.erasure_key (key) values (gen_random_uuid()::text || gen_random_uuid()::text);
