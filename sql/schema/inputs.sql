-- purpose: Inputs: batches, rejected items, truncated files, freshness.

-- Readings of an input file or stream at one clock. A finished batch never changes; a run records the last batch that it read.
-- grain: one row per reading of an input
create table payrecon.batches (
    batch_id bigint generated always as identity,  -- Number of the batch, in the order of reading
    kind text collate "C" not null,                -- Kind of input: orders, users, catalogue, apple, judgement, finance, bank
    file_name text collate "C" not null,           -- Name of the file or stream
    content_sha256 text collate "C" not null,      -- Hash of the bytes, in hexadecimal; empty for a stream without bytes of its own
    source text collate "C" not null,              -- Sender: client, notification, api or import
    run_id text collate "C" not null,              -- Run that read it: payrecon.runs
    state text collate "C" not null,               -- open while it is being read, then done
    items_done bigint not null default 0,          -- Items of the input that are stored; a killed night resumes behind them
    input_count bigint not null default 0,         -- Items that were read
    accepted_count bigint not null default 0,      -- Of these: stored as new
    repeated_count bigint not null default 0,      -- Of these: known already
    ignored_count bigint not null default 0,       -- Of these: older than what is stored, or quarantined
    parked_count bigint not null default 0,        -- Of these: rejected and kept in payrecon.parked_items
    is_clock_given boolean not null,               -- Whether the operator passed the clock, instead of the machine's
    known_at timestamptz not null,                 -- Clock from which reports include the batch
    newest_fact_at timestamptz,                    -- Newest instant that its items state
    reader_sha256 text collate "C",                -- Reader that judged its evidence; null for other input: payrecon.readers
    first_batch_id bigint,                         -- First batch of the same input; null in that batch
    read_at timestamptz,                           -- Clock of the reading; known_at is later if decisions had passed that clock
    mapping_sha256 text collate "C" not null default '',  -- Hash of the mappings of its kind of input; empty without any
    mapping_number integer not null default 0,     -- How often the mappings of the kind had changed; the rows of the later ones count
    constraint batches_pkey primary key (batch_id),
    constraint batches_state check (state in ('open', 'done')),
    constraint batches_balance check (
        input_count = accepted_count + repeated_count + ignored_count + parked_count
    ),
    constraint batches_kind check (kind in ('orders', 'users', 'catalogue', 'apple', 'judgement', 'finance', 'bank'))
);
-- Skips a file that was read before.
create index batches_content on payrecon.batches (kind, content_sha256);
-- Finds earlier readings of a file name.
create index batches_file on payrecon.batches (kind, file_name);
-- Finds the continuations of an input.
create index batches_first on payrecon.batches (first_batch_id) where first_batch_id is not null;
-- Finds batches of a killed run.
create index batches_open on payrecon.batches (batch_id) where state = 'open';

-- Input that could not be used, with file, line, field, reason and bytes. Nothing is lost: an operator retries or discards it.
-- grain: one row per rejected item
create table payrecon.parked_items (
    parked_id text collate "C" not null,  -- Hash of the item and its place
    kind text collate "C" not null,       -- Kind of input, as in payrecon.batches; or receipt, which Apple did not verify
    file text collate "C" not null,       -- Name of the file
    field text collate "C" not null,      -- Field that is at fault; empty for the whole item
    reason jsonb not null,                -- Phrase: why the item was rejected; secret values are left out
    header bytea,                         -- Header line of the CSV file of a row; null for other items, and once the item is emptied
    raw bytea not null,                   -- Bytes of the item, truncated at a limit; empty once retain removed them
    line bigint not null,                 -- Line of the file, from 1
    byte_count bigint not null,           -- Length of the item before truncation
    batch_id bigint not null,             -- Batch that first stated it: payrecon.batches
    constraint parked_items_pkey primary key (parked_id)
);

-- Retries and discards of rejected items; the newest row counts.
-- grain: one row per rejected item and act
create table payrecon.parked_outcomes (
    parked_id text collate "C" not null,  -- Item: payrecon.parked_items
    outcome text collate "C" not null,    -- retried or discarded
    reason text collate "C" not null,     -- Reason, as entered by the person or program
    decided_at timestamptz not null,      -- Clock of the act
    constraint parked_outcomes_pkey primary key (parked_id, decided_at, outcome),
    constraint parked_outcomes_outcome check (outcome in ('retried', 'discarded'))
);

-- Inputs that ended too early: truncated files, truncated archives, headers without rows. The complete part is stored.
-- grain: one row per batch that was truncated
create table payrecon.truncated_inputs (
    batch_id bigint not null,                      -- Batch of the truncated input
    parked_id text collate "C" not null,           -- Item that stands for the missing end: payrecon.parked_items
    of_batch_id bigint,                            -- Batch of the refused or unfinished input described; null for this batch's input
    awaits_record boolean not null default false,  -- Whether the truncated record can be recognised in a later input
    completing_batch_id bigint,                    -- First later batch that states the truncated record
    constraint truncated_inputs_pkey primary key (batch_id)
);
-- Finds the truncated input of a rejected item.
create index truncated_inputs_parked on payrecon.truncated_inputs (parked_id);

-- New rows per batch and hour of the facts, without repeats. A night checks here that no input is silent.
-- grain: one row per batch, hour, app and environment
create table payrecon.input_hours (
    batch_id bigint not null,                  -- Batch that first stated it: payrecon.batches
    kind text collate "C" not null,            -- Kind of input, as in payrecon.batches
    -- Hour of the facts, in UTC: updated_at of orders, Apple's signature of evidence; infinity if dated ahead or not genuine
    fact_hour timestamptz not null,
    row_count bigint not null,                 -- New rows
    newest_fact_at timestamptz not null,       -- Newest instant among them
    bundle_id text collate "C" not null,       -- App, by its bundle id
    environment text collate "C" not null,     -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    replaced_count bigint not null default 0,  -- Orders of that hour that newer rows of the batch replace
    constraint input_hours_pkey primary key (batch_id, fact_hour, bundle_id, environment)
);
-- Reads the hours of one kind of input, newest first.
create index input_hours_kind on payrecon.input_hours (kind, fact_hour);

-- Watermarks of the sources that payrecon pulls rows from.
-- grain: one row per source and kind of row
create table payrecon.pull_watermarks (
    source text collate "C" not null,                         -- Name of the source in the settings
    kind text collate "C" not null,                           -- Kind of input, as in payrecon.batches
    query_sha256 text collate "C" not null,                   -- Hash of the query and mapping; another one is read from the beginning
    changed_at timestamptz not null,                          -- Instant of change up to which rows were read
    row_key text collate "C" not null,                        -- Key of the last row that was read at that instant
    moved_at timestamptz not null default clock_timestamp(),  -- Server's clock when the row was written
    constraint pull_watermarks_pkey primary key (source, kind)
);
