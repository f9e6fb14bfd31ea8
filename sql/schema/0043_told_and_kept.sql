-- purpose: what programs are told: events in the order in which they were gathered, and what became of telling each of them;
--          filters of the queue and files that people keep.
-- rules:   an event is kept in the transaction that says how far the audit chain was read, so that none is lost and none is
--          kept twice; it is told until the receiver says that it took it, perhaps twice.

create table payrecon.webhook_events (
    event_id text collate "C" not null,
    number bigint generated always as identity,
    kind text collate "C" not null,
    -- Case or run.
    subject_id text collate "C" not null,
    -- What else is told, a JSON object that names no customer.
    data text collate "C" not null,
    -- Clock of what happened.
    at timestamptz not null,
    gathered_at timestamptz not null default clock_timestamp(),
    constraint webhook_events_pkey primary key (event_id),
    constraint webhook_events_kind check (kind in ('case.opened', 'case.decided', 'run.ended'))
);
create unique index webhook_events_by_number on payrecon.webhook_events (number);

create table payrecon.webhook_posts (
    -- Its name in the settings.
    webhook text collate "C" not null,
    event_id text collate "C" not null,
    number bigint not null,
    try_count integer not null default 0,
    next_at timestamptz not null default clock_timestamp(),
    -- What the last try came to, in words without the address.
    last_answer text collate "C",
    ended_at timestamptz,
    outcome text collate "C",
    constraint webhook_posts_pkey primary key (webhook, event_id),
    constraint webhook_posts_outcome check (outcome in ('taken', 'given_up') and (outcome is null) = (ended_at is null))
);
create index webhook_posts_due on payrecon.webhook_posts (webhook, number) where ended_at is null;

-- One row: how far the audit chain was read, and when events were sent last.
create table payrecon.webhook_reading (
    id integer not null default 1,
    audit_number bigint not null,
    sent_at timestamptz not null default clock_timestamp(),
    constraint webhook_reading_pkey primary key (id),
    constraint webhook_reading_once check (id = 1)
);

-- Cases of which something was open when the events were gathered last: another one is new.
create table payrecon.webhook_cases (
    case_id text collate "C" not null,
    constraint webhook_cases_pkey primary key (case_id)
);

-- Filters of the queue that somebody keeps under a name, for themselves or for everybody.
create table payrecon.console_views (
    account text collate "C" not null,
    name text collate "C" not null,
    -- As it stands in the address of the queue.
    query text collate "C" not null,
    is_shared boolean not null,
    saved_at timestamptz not null default clock_timestamp(),
    constraint console_views_pkey primary key (account, name),
    constraint console_views_name check (name ~ '[^[:space:]]' and length(name) <= 60),
    constraint console_views_query check (length(query) <= 2000)
);

-- What people attach to a case: a file by the hash of its bytes, which are kept once. Append-only, but for a person who is
-- forgotten.
create table payrecon.attachment_bodies (
    sha256 text collate "C" not null,
    body bytea not null,
    constraint attachment_bodies_pkey primary key (sha256),
    constraint attachment_bodies_hash check (sha256 = encode(sha256(body), 'hex')),
    constraint attachment_bodies_size check (length(body) between 1 and 4194304)
);

create table payrecon.case_attachments (
    case_id text collate "C" not null,
    sha256 text collate "C" not null,
    name text collate "C" not null,
    byte_count bigint not null,
    person text collate "C" not null,
    account text collate "C" not null,
    at timestamptz not null,
    constraint case_attachments_pkey primary key (case_id, sha256),
    constraint case_attachments_said check (person <> '' and name <> '' and length(name) <= 100)
);
create index case_attachments_by_hash on payrecon.case_attachments (sha256);
