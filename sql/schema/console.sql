-- purpose: The review console: accounts and sessions, saved filters, and the gathered queue.

-- Accounts of the console. Only password hashes are stored, and reading roles cannot see them.
-- grain: one row per account
create table payrecon.console_accounts (
    name text collate "C" not null,                    -- Name for logging in
    role text collate "C" not null,                    -- reader, analyst, finance, approver or admin
    inboxes text[] collate "C" not null default '{}',  -- Teams whose cases the account sees; empty for all
    salt text collate "C" not null,                    -- Salt of the password, in hexadecimal
    verifier text collate "C" not null,                -- SHA-256 of the scrypt result, in hexadecimal
    added_by text collate "C" not null,                -- Account that added it
    added_at timestamptz not null,                     -- Clock of the act
    disabled_at timestamptz,                           -- When it was disabled; null while active
    password_set_by text collate "C",                  -- Administrator who set its password; null once the account changed it
    mail_address text collate "C",                     -- Receives its notifications; null for none
    constraint console_accounts_pkey primary key (name),
    constraint console_accounts_name check (name ~ '^[A-Za-z0-9._@-]{1,63}$'),
    constraint console_accounts_role check (role in ('reader', 'analyst', 'finance', 'approver', 'admin')),
    constraint console_accounts_mail_address check (
        length(mail_address) <= 254 and mail_address ~ '^[^][[:space:][:cntrl:]<>,;"\\()@]+@[^][[:space:][:cntrl:]<>,;"\\()@]+$'
    ),
    constraint console_accounts_hashes check (salt ~ '^[0-9a-f]{32}$' and verifier ~ '^[0-9a-f]{64}$')
);
-- Refuses names that differ only in case.
create unique index console_accounts_one_name on payrecon.console_accounts (lower(name)) where disabled_at is null;

-- Sessions of browsers, and tokens of programs. Times are the server's clock.
-- grain: one row per session
create table payrecon.console_sessions (
    secret_sha256 text collate "C" not null,           -- Hash of the secret, in hexadecimal
    account text collate "C" not null,                 -- Account: payrecon.console_accounts
    address text collate "C" not null,                 -- Network address of the client
    opened_at timestamptz not null,                    -- When it was opened
    seen_at timestamptz not null,                      -- Last request, to the minute
    expires_at timestamptz not null,                   -- When it ends by itself
    ended_at timestamptz,                              -- When it was ended; null while active
    kind text collate "C" not null default 'browser',  -- browser or token
    called text collate "C",                           -- Purpose of a token; null for a browser
    is_by_proxy boolean not null default false,        -- Whether a proxy opened it; such a session is valid only on the proxy's socket
    constraint console_sessions_pkey primary key (secret_sha256),
    constraint console_sessions_secret check (secret_sha256 ~ '^[0-9a-f]{64}$'),
    constraint console_sessions_kind check (kind in ('browser', 'token') and (kind = 'token') = (called is not null)),
    constraint console_sessions_account foreign key (account) references payrecon.console_accounts (name)
);
-- Ends the sessions of an account.
create index console_sessions_by_account on payrecon.console_sessions (account) where ended_at is null;

-- Failed log-ins, to slow down guessing. Names are hashed, since users sometimes type passwords there.
-- grain: one row per failure
create table payrecon.console_refusals (
    account_sha256 text collate "C" not null,  -- Hash of the name
    address text collate "C" not null,         -- Network address of the client
    at timestamptz not null                    -- Server's clock
);
-- Counts recent failures.
create index console_refusals_by_time on payrecon.console_refusals (at);

-- Key for the stable salt of unknown accounts, so that existing accounts cannot be distinguished from others.
-- grain: one row
create table payrecon.console_key (
    key text collate "C" not null,  -- Random text
    constraint console_key_pkey primary key (key)
);
insert into payrecon.console_key (key)
values (encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex'));

-- Keys of authenticating proxies; one is valid at a time.
-- grain: one row per key
create table payrecon.console_proxy_keys (
    key_sha256 text collate "C" not null,  -- Hash of the key, in hexadecimal
    made_by text collate "C" not null,     -- Account that made it
    made_at timestamptz not null,          -- When it was made
    ended_at timestamptz,                  -- When it ended; null while it is valid
    constraint console_proxy_keys_pkey primary key (key_sha256),
    constraint console_proxy_keys_key check (key_sha256 ~ '^[0-9a-f]{64}$')
);
-- Allows one valid key.
create unique index console_proxy_keys_one on payrecon.console_proxy_keys ((true)) where ended_at is null;

-- Filters of the queue that an account saves.
-- grain: one row per account and name
create table payrecon.console_views (
    account text collate "C" not null,                        -- Account that saves it
    name text collate "C" not null,                           -- Name of the filter
    query text collate "C" not null,                          -- Query part of the queue's address
    is_shared boolean not null,                               -- Whether all accounts see it
    saved_at timestamptz not null default clock_timestamp(),  -- Server's clock
    constraint console_views_pkey primary key (account, name),
    constraint console_views_name check (name ~ '[^[:space:]]' and length(name) <= 60),
    constraint console_views_query check (length(query) <= 2000)
);

-- How an account reads the console. Without a row, the browser's language and UTC apply.
-- grain: one row per account
create table payrecon.console_preferences (
    account text collate "C" not null,  -- Account that chooses
    language text collate "C",          -- en, zh-Hans, ja or ru; null for the browser's language
    time_zone text collate "C",         -- IANA name; null for UTC
    notices_seen_at timestamptz,        -- When the account last opened its notifications; null for never
    constraint console_preferences_pkey primary key (account),
    constraint console_preferences_language check (language in ('en', 'zh-Hans', 'ja', 'ru')),
    constraint console_preferences_time_zone check (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$')
);

-- Cases as of their last gathering, so that a page of the queue reads few rows.
-- grain: one row per case
create table payrecon.console_cases (
    case_id text collate "C" not null,        -- Case: a hash of its subject's kind and id
    subject_kind text collate "C" not null,   -- user, device, order, charge, chain, ring or other kind
    subject_id text collate "C" not null,     -- The subject's id
    status text collate "C" not null,         -- open, waiting_approval, closed or lapsed, without leases
    proposed_action text collate "C",         -- Action that awaits approval
    proposed_by text collate "C",             -- Account that proposed it
    proposed_at timestamptz,                  -- When it was proposed
    currency text collate "C",                -- ISO 4217 code
    place text collate "C" not null,          -- Sort key of the queue, best first
    names text[] collate "C" not null,        -- Break classes and rules of the case
    teams text[] collate "C" not null,        -- Teams that they belong to
    bundle_ids text[] collate "C" not null,   -- Apps of the case
    storefronts text[] collate "C" not null,  -- Storefronts of the case
    item_ids text[] collate "C" not null,     -- Breaks and signals of the case
    rank integer not null,                    -- Severity, as a number
    signal_count bigint not null,             -- Open signals
    break_count bigint not null,              -- Undecided breaks
    amount_milliunits numeric,                -- Money at stake, in thousandths of the currency
    opened_at timestamptz not null,           -- When its oldest item opened
    due_at timestamptz,                       -- When it must be decided
    changes_at timestamptz,                   -- When a decision about it ends, or a deadline of Apple's
    assignee text collate "C",                -- Account that it is assigned to
    returns_at timestamptz,                   -- When a snoozed case comes back
    constraint console_cases_pkey primary key (case_id),
    constraint console_cases_status check (status in ('open', 'waiting_approval', 'closed', 'lapsed'))
);
-- Lists the cases opened on a day, in UTC, in the order of the queue.
create index console_cases_by_day on payrecon.console_cases (((opened_at at time zone 'UTC')::date), place)
where status in ('open', 'waiting_approval');
-- Filters by money.
create index console_cases_by_amount on payrecon.console_cases (amount_milliunits)
where status in ('open', 'waiting_approval');
-- Lists the cases of an app in the order of the queue.
create index console_cases_by_app on payrecon.console_cases (bundle_ids, place) where status in ('open', 'waiting_approval');
-- Lists the cases of an account.
create index console_cases_by_assignee on payrecon.console_cases (assignee) where assignee is not null;
-- Filters by currency.
create index console_cases_by_currency on payrecon.console_cases (currency, place) where status in ('open', 'waiting_approval');
-- Filters by due time.
create index console_cases_by_due on payrecon.console_cases (due_at) where status in ('open', 'waiting_approval');
-- Lists the cases that await approval.
create index console_cases_by_approval on payrecon.console_cases (place) where status = 'waiting_approval';
-- Finds cases whose decision ends.
create index console_cases_by_end on payrecon.console_cases (changes_at) where changes_at is not null;
-- Filters by severity.
create index console_cases_by_rank on payrecon.console_cases (rank, place) where status in ('open', 'waiting_approval');
-- Filters by class, rule, app, storefront or team.
create index console_cases_by_words on payrecon.console_cases using gin (names, bundle_ids, storefronts, teams)
where status in ('open', 'waiting_approval');
-- Lists the queue.
create unique index console_cases_queue on payrecon.console_cases (place) where status in ('open', 'waiting_approval');

-- State that the cases were last gathered from.
-- grain: one row
create table payrecon.console_gathered (
    id integer not null default 1,       -- Always 1
    detected text collate "C" not null,  -- Latest detection, as text
    as_of timestamptz not null,          -- Clock that they were gathered at
    gathered_at timestamptz not null,    -- Server's clock
    detected_at timestamptz,             -- Clock of the latest detection
    constraint console_gathered_pkey primary key (id),
    constraint console_gathered_once check (id = 1)
);

-- Work list: cases to gather again.
-- grain: one row per change
create table payrecon.console_changed (
    number bigint generated always as identity,  -- Number of the change
    case_id text collate "C" not null,           -- Case: a hash of its subject's kind and id
    item_id text collate "C",                    -- Break or signal that changed; null if a person acted
    at timestamptz not null,                     -- Clock of the act
    constraint console_changed_pkey primary key (number)
);
-- Finds the changes of a case.
create index console_changed_by_case on payrecon.console_changed (case_id);
