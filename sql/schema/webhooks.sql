-- purpose: Events that payrecon sends to other programs, and their delivery.

-- Events, stored in the transaction that reads the audit chain: none is lost or stored twice.
-- grain: one row per event
create table payrecon.webhook_events (
    event_id text collate "C" not null,                          -- Id of the event
    number bigint generated always as identity,                  -- Number, in the order of sending
    kind text collate "C" not null,                              -- case.opened, case.decided, run.ended or account.notified
    subject_id text collate "C" not null,                        -- Case or run
    data text collate "C" not null,                              -- Further data, a JSON object that names no customer
    at timestamptz not null,                                     -- When it happened
    gathered_at timestamptz not null default clock_timestamp(),  -- Server's clock
    constraint webhook_events_pkey primary key (event_id),
    constraint webhook_events_kind check (kind in ('case.opened', 'case.decided', 'run.ended', 'account.notified'))
);
-- Reads events in the order of sending.
create unique index webhook_events_by_number on payrecon.webhook_events (number);

-- Deliveries of events to receivers, until accepted or given up.
-- grain: one row per receiver and event
create table payrecon.webhook_posts (
    webhook text collate "C" not null,                       -- Receiver in the settings; alerts.email for mail to accounts
    event_id text collate "C" not null,                      -- Event: payrecon.webhook_events
    number bigint not null,                                  -- Number of the event
    try_count integer not null default 0,                    -- Attempts
    next_at timestamptz not null default clock_timestamp(),  -- When it is tried next
    last_answer text collate "C",                            -- Answer to the last attempt, without the address
    ended_at timestamptz,                                    -- When it ended; null while it is tried
    outcome text collate "C",                                -- taken or given_up; null while it is tried
    -- Hash of the receiver's settings if it answered with status 410: nothing is sent to it until they change
    gone_sha256 text collate "C",
    constraint webhook_posts_pkey primary key (webhook, event_id),
    constraint webhook_posts_outcome check (outcome in ('taken', 'given_up') and (outcome is null) = (ended_at is null))
);
-- Reads the deliveries due for a receiver.
create index webhook_posts_due on payrecon.webhook_posts (webhook, number) where ended_at is null;

-- Last audit entry read for events.
-- grain: one row
create table payrecon.webhook_reading (
    id integer not null default 1,                           -- Always 1
    audit_number bigint not null,                            -- Last audit entry that was read
    sent_at timestamptz not null default clock_timestamp(),  -- When events were last sent
    constraint webhook_reading_pkey primary key (id),
    constraint webhook_reading_once check (id = 1)
);

-- Cases with an open item at the last gathering of events; any other case is new.
-- grain: one row per case
create table payrecon.webhook_cases (
    case_id text collate "C" not null,  -- Case: a hash of its subject's kind and id
    constraint webhook_cases_pkey primary key (case_id)
);
