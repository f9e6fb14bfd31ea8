-- purpose: Acts of reviewers on cases: assignments, notes, decisions, undos. Acts are append-only, leases are not; the
--          database writes the account.

-- Leases of cases. The primary key assigns a case to one person.
-- grain: one row per leased case
create table payrecon.case_leases (
    case_id text collate "C" not null,  -- Case: a hash of its subject's kind and id
    person text collate "C" not null,   -- Person's name, as entered
    account text collate "C" not null,  -- Authenticated account, written by the database
    taken_at timestamptz not null,      -- Clock of the act
    lease_until timestamptz not null,   -- End of the lease
    seen_break_ids text[] collate "C",  -- Undecided breaks of the case when the person last saw it; a decision covers these
    seen_as_of timestamptz[],           -- Clock of the newest event of each
    seen_attempts integer[],            -- Attempt of the newest event of each
    constraint case_leases_pkey primary key (case_id),
    constraint case_leases_person check (person <> '')
);
-- Reads leases by their end.
create index case_leases_by_end on payrecon.case_leases (lease_until);

-- Assignments and releases of a case.
-- grain: one row per case, instant, act and person
create table payrecon.case_events (
    case_id text collate "C" not null,  -- Case: a hash of its subject's kind and id
    action text collate "C" not null,   -- taken or released
    person text collate "C" not null,   -- Person's name, as entered
    account text collate "C" not null,  -- Authenticated account, written by the database
    reason text collate "C" not null,   -- Reason, as entered by the person or program
    at timestamptz not null,            -- Clock of the act
    lease_until timestamptz,            -- End of the lease; null for a release
    constraint case_events_pkey primary key (case_id, at, action, person),
    constraint case_events_action check (action in ('taken', 'released'))
);
-- Finds the row of an audit entry.
create index case_events_by_time on payrecon.case_events (at);

-- Steps of a decision. Some actions need a second account: the row that makes them effective quotes the proposal by key.
-- grain: one row per case, decision and step
create table payrecon.case_decisions (
    case_id text collate "C" not null,       -- Case: a hash of its subject's kind and id
    decision_id text collate "C" not null,   -- Id of the decision
    step text collate "C" not null,          -- proposed, effective, rejected or withdrawn
    action text collate "C" not null,        -- Decided action: accept, dismiss, watch, contact, take_back, ban, …
    outcome text collate "C" not null,       -- confirmed, suspected or false_positive
    subject_kind text collate "C" not null,  -- Kind of the subject
    subject_id text collate "C" not null,    -- The subject's id
    order_id text collate "C",               -- Order that the decision names
    charge_id text collate "C",              -- Charge that the decision names
    currency text collate "C",               -- ISO 4217 code
    reason text collate "C" not null,        -- Reason, as entered by the person or program
    decided_by text collate "C" not null,    -- Name of the deciding person, as entered
    approved_by text collate "C",            -- Second person, who approves or rejects
    account text collate "C" not null,       -- Account that wrote this row: the second one in a row that concludes a proposal
    proposal_step text collate "C",          -- 'proposed' in a row that concludes a proposal; else null
    amount_milliunits numeric,               -- Money at stake, in thousandths of the currency
    at timestamptz not null,                 -- Clock of the act
    -- Number of the step, in the order of recording; orders the steps of one clock
    number bigint generated always as identity,
    proposal_account text collate "C",       -- Account of the proposal that this row concludes
    -- case: all undecided breaks of the case; named: only those that the decision names
    scope text collate "C" not null default 'case',
    break_ids text[] collate "C",            -- Breaks of the decision; null in a row that concludes a proposal
    seen_as_of timestamptz[],                -- Clock of the event of each break that the person saw
    seen_attempts integer[],                 -- Attempt of the event of each break that the person saw
    holds_until timestamptz,                 -- When an acceptance or dismissal ends; null until the facts change
    -- Apple's answer before a punishment: as_known, differs, out_of_reach, no_key or nothing_to_ask
    apple text collate "C",
    constraint case_decisions_pkey primary key (case_id, decision_id, step),
    constraint case_decisions_proposal_key unique (case_id, decision_id, step, action, decided_by),
    constraint case_decisions_outcome check (outcome in ('confirmed', 'suspected', 'false_positive')),
    constraint case_decisions_said check (reason <> '' and decided_by <> ''),
    constraint case_decisions_step check (step in ('proposed', 'effective', 'rejected', 'withdrawn')),
    constraint case_decisions_action check (
        action in (
            'accept', 'dismiss', 'watch', 'contact', 'take_back', 'ban', 'forced_match', 'unmatch', 'benign_duplicate',
            'write_off'
        )
    ),
    constraint case_decisions_second_person check (
        case
            when action not in ('ban', 'forced_match', 'unmatch', 'benign_duplicate', 'write_off') then step = 'effective'
            when step = 'proposed' then approved_by is null and proposal_step is null
            else btrim(approved_by) <> '' and approved_by is not null and proposal_step is not distinct from 'proposed'
        end
    ),
    constraint case_decisions_scope check (scope in ('case', 'named')),
    constraint case_decisions_seen check (
        (break_ids is null) = (proposal_step is not null)
        and cardinality(break_ids) is not distinct from cardinality(seen_as_of)
        and cardinality(break_ids) is not distinct from cardinality(seen_attempts)
    ),
    constraint case_decisions_until check (
        holds_until is null or (action in ('accept', 'dismiss') and holds_until > at)
    ),
    constraint case_decisions_apple check (
        apple in ('as_known', 'differs', 'out_of_reach', 'no_key', 'nothing_to_ask')
    ),
    constraint case_decisions_two_accounts check (
        case
            when step = 'effective' and proposal_step is not null
                then proposal_account is not null and lower(proposal_account) <> lower(account)
            when step = 'rejected' then proposal_account is null or lower(proposal_account) <> lower(account)
            when step = 'withdrawn' then proposal_account is not null and lower(proposal_account) = lower(account)
            -- A second person is recorded only in rows that conclude a proposal.
            else proposal_account is null and approved_by is null
        end
    ),
    constraint case_decisions_proposal foreign key (case_id, decision_id, proposal_step, action, decided_by)
    references payrecon.case_decisions (case_id, decision_id, step, action, decided_by)
);
-- Finds the decisions about a break.
create index case_decisions_by_break on payrecon.case_decisions using gin (break_ids);
-- Finds the row of an audit entry.
create index case_decisions_by_id on payrecon.case_decisions (decision_id);
-- Finds the latest decision up to a clock.
create index case_decisions_by_time on payrecon.case_decisions (at);
-- Concludes a proposal once.
create unique index case_decisions_one_end on payrecon.case_decisions (case_id, decision_id) where step <> 'proposed';

-- Steps of undoing a decision. A decision of two accounts takes two to undo.
-- grain: one row per decision, undo and step
create table payrecon.case_undos (
    case_id text collate "C" not null,      -- Case: a hash of its subject's kind and id
    decision_id text collate "C" not null,  -- Decision: payrecon.case_decisions
    undo_id text collate "C" not null,      -- Id of the undo
    step text collate "C" not null,         -- proposed, effective, rejected or withdrawn
    action text collate "C" not null,       -- Action of the decision
    reason text collate "C" not null,       -- Reason, as entered by the person or program
    asked_by text collate "C" not null,     -- Person's name, as entered
    approved_by text collate "C",           -- Second person, who approves or rejects
    account text collate "C" not null,      -- Authenticated account, written by the database
    proposal_step text collate "C",         -- 'proposed' in a row that concludes a proposal; else null
    at timestamptz not null,                -- Clock of the act
    proposal_account text collate "C",      -- Account of the proposal that this row concludes
    constraint case_undos_pkey primary key (case_id, decision_id, undo_id, step),
    constraint case_undos_proposal_key unique (case_id, decision_id, undo_id, step, action, asked_by),
    constraint case_undos_said check (reason <> '' and asked_by <> ''),
    constraint case_undos_step check (step in ('proposed', 'effective', 'rejected', 'withdrawn')),
    constraint case_undos_second_person check (
        case
            when action not in ('ban', 'forced_match', 'unmatch', 'benign_duplicate', 'write_off') then step = 'effective'
            when step = 'proposed' then approved_by is null and proposal_step is null
            else btrim(approved_by) <> '' and approved_by is not null and proposal_step is not distinct from 'proposed'
        end
    ),
    constraint case_undos_two_accounts check (
        case
            when step = 'effective' and proposal_step is not null
                then proposal_account is not null and lower(proposal_account) <> lower(account)
            when step = 'rejected' then proposal_account is null or lower(proposal_account) <> lower(account)
            when step = 'withdrawn' then proposal_account is not null and lower(proposal_account) = lower(account)
            else proposal_account is null and approved_by is null
        end
    ),
    constraint case_undos_proposal foreign key (case_id, decision_id, undo_id, proposal_step, action, asked_by)
    references payrecon.case_undos (case_id, decision_id, undo_id, step, action, asked_by)
);
-- Finds the row of an audit entry.
create index case_undos_by_id on payrecon.case_undos (undo_id);
-- Undoes a decision once.
create unique index case_undos_once on payrecon.case_undos (case_id, decision_id) where step = 'effective';
-- Concludes a proposal once.
create unique index case_undos_one_end on payrecon.case_undos (case_id, decision_id, undo_id) where step <> 'proposed';

-- Notes on a case.
-- grain: one row per note
create table payrecon.case_notes (
    case_id text collate "C" not null,                  -- Case: a hash of its subject's kind and id
    note_id text collate "C" not null,                  -- Id of the note
    person text collate "C" not null,                   -- Person's name, as entered
    account text collate "C" not null,                  -- Authenticated account, written by the database
    note text collate "C" not null,                     -- The text
    at timestamptz not null,                            -- Clock of the act
    mentions text[] collate "C" not null default '{}',  -- Accounts that the text names with @
    constraint case_notes_pkey primary key (case_id, note_id),
    constraint case_notes_said check (person <> '' and note <> '')
);
-- Finds the row of an audit entry.
create index case_notes_by_time on payrecon.case_notes (at);

-- Finds the notes that mention an account.
create index case_notes_by_mention on payrecon.case_notes using gin (mentions) where mentions <> '{}';

-- Snoozes, assignments and followers of a case; the newest row per case and topic counts, for followers per person.
-- grain: one row per case and mark
create table payrecon.case_marks (
    case_id text collate "C" not null,                  -- Case: a hash of its subject's kind and id
    number bigint generated always as identity,         -- Number of the mark
    topic text collate "C" not null,                    -- snooze, assignment or following
    is_set boolean not null,                            -- Whether it starts or ends
    assignee text collate "C",                          -- Account that the case is assigned to
    returns_at timestamptz,                             -- When a snoozed case comes back
    item_ids text[] collate "C" not null default '{}',  -- Breaks and signals that are snoozed; another one brings the case back earlier
    person text collate "C" not null,                   -- Person's name, as entered
    account text collate "C" not null,                  -- Authenticated account, written by the database
    reason text collate "C" not null,                   -- Reason, as entered by the person or program
    at timestamptz not null,                            -- Clock of the act
    constraint case_marks_pkey primary key (case_id, number),
    constraint case_marks_topic check (topic in ('snooze', 'assignment', 'following')),
    constraint case_marks_said check (person <> ''),
    constraint case_marks_whole check (
        (topic = 'snooze' and is_set) = (returns_at is not null)
        and (topic = 'assignment' and is_set) = (assignee is not null)
    )
);
-- Finds the row of an audit entry.
create index case_marks_by_time on payrecon.case_marks (at);
-- Lists the cases that an account follows.
create index case_marks_following on payrecon.case_marks (account, case_id) where topic = 'following';

-- Decisions made in one batch.
-- grain: one row per batch and decision
create table payrecon.case_batches (
    batch_id text collate "C" not null,     -- Id of the batch, 32 hexadecimal digits
    case_id text collate "C" not null,      -- Case: a hash of its subject's kind and id
    decision_id text collate "C" not null,  -- Decision: payrecon.case_decisions
    account text collate "C" not null,      -- Authenticated account, written by the database
    at timestamptz not null,                -- Clock of the act
    constraint case_batches_pkey primary key (batch_id, case_id, decision_id),
    constraint case_batches_id check (batch_id ~ '^[0-9a-f]{32}$')
);

-- Files that people attach to a case.
-- grain: one row per case and file
create table payrecon.case_attachments (
    case_id text collate "C" not null,  -- Case: a hash of its subject's kind and id
    sha256 text collate "C" not null,   -- Hash of the bytes, in hexadecimal: payrecon.attachment_bodies
    name text collate "C" not null,     -- Name of the file
    byte_count bigint not null,         -- Length of the file
    person text collate "C" not null,   -- Person's name, as entered
    account text collate "C" not null,  -- Authenticated account, written by the database
    at timestamptz not null,            -- Clock of the act
    constraint case_attachments_pkey primary key (case_id, sha256),
    constraint case_attachments_said check (person <> '' and name <> '' and length(name) <= 100)
);
-- Finds the cases of a file.
create index case_attachments_by_hash on payrecon.case_attachments (sha256);
-- Finds the row of an audit entry.
create index case_attachments_by_time on payrecon.case_attachments (at);

-- Bytes of attached files, stored once. Erasing a user removes the files of the user's case.
-- grain: one row per file
create table payrecon.attachment_bodies (
    sha256 text collate "C" not null,  -- Hash of the bytes, in hexadecimal
    body bytea not null,               -- The bytes, at most 4 MiB
    constraint attachment_bodies_pkey primary key (sha256),
    constraint attachment_bodies_hash check (sha256 = encode(sha256(body), 'hex')),
    constraint attachment_bodies_size check (length(body) between 1 and 4194304)
);

-- Answers to Apple's consumption requests, or the reason for none.
-- grain: one row per transaction, app, environment and instant
create table payrecon.consumption_answers (
    transaction_id text collate "C" not null,                    -- Apple's id of the transaction
    outcome text collate "C" not null,                           -- sent or no_consent
    person text collate "C" not null,                            -- Person's name, as entered
    reason text collate "C" not null,                            -- Reason, as entered by the person or program
    answered_at timestamptz not null,                            -- Clock of the act
    bundle_id text collate "C" not null default '',              -- App, by its bundle id
    environment text collate "C" not null default 'Production',  -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    constraint consumption_answers_pkey primary key (transaction_id, bundle_id, environment, answered_at),
    constraint consumption_answers_outcome check (outcome in ('sent', 'no_consent')),
    constraint consumption_answers_person check (person <> '')
);

-- Answers that payrecon decided to send to Apple's consumption requests, recorded before the first attempt. Every attempt
-- sends this text.
-- grain: one row per transaction, app, environment and request
create table payrecon.consumption_intents (
    transaction_id text collate "C" not null,  -- Apple's id of the transaction
    bundle_id text collate "C" not null,       -- App, by its bundle id
    environment text collate "C" not null,     -- Apple's environment: Production or Sandbox
    charge_id text collate "C" not null,       -- Charge that the request is about: payrecon.charges
    order_id text collate "C" not null,        -- Order whose delivery and usage are stated: payrecon.orders
    body text not null,                        -- JSON text as sent
    body_sha256 text collate "C" not null,     -- Hash of the text, in hexadecimal
    run_id text collate "C" not null,          -- Run that decided it: payrecon.runs
    requested_at timestamptz not null,         -- When Apple signed the request
    due_at timestamptz not null,               -- End of Apple's time for an answer
    decided_at timestamptz not null,           -- Clock of the run
    constraint consumption_intents_pkey primary key (transaction_id, bundle_id, environment, requested_at),
    constraint consumption_intents_hash check (body_sha256 = encode(sha256(convert_to(body, 'UTF8')), 'hex')),
    constraint consumption_intents_due check (requested_at <= decided_at and decided_at < due_at)
);

-- The end of each consumption request that payrecon dealt with: what Apple answered, or why nothing was sent.
-- grain: one row per transaction, app, environment and request
create table payrecon.consumption_outcomes (
    transaction_id text collate "C" not null,  -- Apple's id of the transaction
    bundle_id text collate "C" not null,       -- App, by its bundle id
    environment text collate "C" not null,     -- Apple's environment: Production or Sandbox
    outcome text collate "C" not null,         -- sent, refused, unconfirmed, refunded, no_consent or expired
    reason text not null,                      -- Apple's refusal, or why nothing was sent; empty if sent
    run_id text collate "C" not null,          -- Run that recorded it: payrecon.runs
    requested_at timestamptz not null,         -- When Apple signed the request
    ended_at timestamptz not null,             -- Clock of the run
    constraint consumption_outcomes_pkey primary key (transaction_id, bundle_id, environment, requested_at),
    constraint consumption_outcomes_outcome check (
        outcome in ('sent', 'refused', 'unconfirmed', 'refunded', 'no_consent', 'expired')
    ),
    constraint consumption_outcomes_reason check ((outcome = 'sent') = (reason = ''))
);
