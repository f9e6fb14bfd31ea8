-- purpose: accounts of the review console, their sessions, and what people note about a case.
-- rules:   who acts over the console is told by the secret of a session, and a session begins only for whoever shows what
--          scrypt makes of the account's password: both are checked by functions (sql/functions/console_*), whatever
--          program calls them. Hashes alone are kept, of the one and of the other; roles that only read do not see them.

create table payrecon.console_accounts (
    name text collate "C" not null,
    role text collate "C" not null,
    -- Teams whose cases the account sees and works on; none: all.
    inboxes text[] collate "C" not null default '{}',
    -- Hexadecimal: what is mixed into the password, and SHA-256 of what scrypt makes of both.
    salt text collate "C" not null,
    verifier text collate "C" not null,
    added_by text collate "C" not null,
    added_at timestamptz not null,
    disabled_at timestamptz,
    constraint console_accounts_pkey primary key (name),
    constraint console_accounts_name check (name ~ '^[A-Za-z0-9._@-]{1,63}$'),
    constraint console_accounts_role check (role in ('reader', 'analyst', 'finance', 'approver', 'admin')),
    constraint console_accounts_hashes check (salt ~ '^[0-9a-f]{32}$' and verifier ~ '^[0-9a-f]{64}$')
);

-- secret_sha256: SHA-256 of the secret, in hexadecimal. The times are of the server's own clock.
create table payrecon.console_sessions (
    secret_sha256 text collate "C" not null,
    account text collate "C" not null,
    address text collate "C" not null,
    opened_at timestamptz not null,
    -- Last request, as far as it is kept: to the minute.
    seen_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz,
    constraint console_sessions_pkey primary key (secret_sha256),
    constraint console_sessions_account foreign key (account) references payrecon.console_accounts (name),
    constraint console_sessions_secret check (secret_sha256 ~ '^[0-9a-f]{64}$')
);
create index console_sessions_by_account on payrecon.console_sessions (account) where ended_at is null;

-- Log-ins that failed; names are kept as hashes, since people type passwords there.
create table payrecon.console_refusals (
    account_sha256 text collate "C" not null,
    address text collate "C" not null,
    at timestamptz not null
);
create index console_refusals_by_time on payrecon.console_refusals (at);

-- One row: gives an account that is not there a salt that stays the same.
create table payrecon.console_key (
    key text collate "C" not null,
    constraint console_key_pkey primary key (key)
);
insert into payrecon.console_key (key)
values (encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex'));

-- What people note about a case. Append-only.
create table payrecon.case_notes (
    case_id text collate "C" not null,
    note_id text collate "C" not null,
    person text collate "C" not null,
    account text collate "C" not null,
    note text collate "C" not null,
    at timestamptz not null,
    constraint case_notes_pkey primary key (case_id, note_id),
    constraint case_notes_said check (person <> '' and note <> '')
);

-- Cases as they stood when they were last gathered, so that a page of the queue need not look at all of them; computed
-- from what is known and what was decided, and gathered anew whenever that has changed.
create table payrecon.console_cases (
    case_id text collate "C" not null,
    subject_kind text collate "C" not null,
    subject_id text collate "C" not null,
    -- Without the leases, which change faster.
    status text collate "C" not null,
    proposed_action text collate "C",
    proposed_by text collate "C",
    currency text collate "C",
    -- Where it stands in the queue: best first.
    place text collate "C" not null,
    -- Break classes and rules; teams they belong to; apps and storefronts it is about.
    names text[] collate "C" not null,
    teams text[] collate "C" not null,
    bundle_ids text[] collate "C" not null,
    storefronts text[] collate "C" not null,
    -- Breaks and signals of it.
    item_ids text[] collate "C" not null,
    rank integer not null,
    signal_count bigint not null,
    break_count bigint not null,
    amount_milliunits bigint,
    -- Rows of decisions and undos that were there.
    said_count bigint not null,
    opened_at timestamptz not null,
    due_at timestamptz,
    -- When a decision comes to its end.
    changes_at timestamptz,
    constraint console_cases_pkey primary key (case_id),
    constraint console_cases_status check (status in ('open', 'waiting_approval', 'closed', 'lapsed'))
);
create unique index console_cases_queue on payrecon.console_cases (place) where status in ('open', 'waiting_approval');

-- One row: what the cases were gathered from.
create table payrecon.console_gathered (
    id integer not null default 1,
    detected text collate "C" not null,
    as_of timestamptz not null,
    gathered_at timestamptz not null,
    constraint console_gathered_pkey primary key (id),
    constraint console_gathered_once check (id = 1)
);
