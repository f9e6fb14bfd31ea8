-- purpose: Differences between orders and charges, their history, and the work lists of detect.

-- The closed list of break classes, filled from sql/reference/break_classes.csv.
-- grain: one row per class
create table payrecon.break_classes (
    class text collate "C" not null,       -- Code of the class, such as PAID_NOT_DELIVERED
    family text collate "C" not null,      -- Group of classes that share one break id while the class changes
    severity text collate "C" not null,    -- low, medium, high or critical
    owner_team text collate "C" not null,  -- Responsible team
    runbook text collate "C" not null,     -- First step for the team
    priority integer not null,             -- Order within the family: the smallest that applies wins
    due_hours integer not null,            -- Hours until it must be decided
    news text collate "C",                 -- Change of the detail that ends a decision: words (a new value), side (the greater)
    is_of_user boolean not null,           -- Whether a user who becomes known ends a decision; false if it is about the catalogue or Apple
    whole_by text collate "C",             -- File of sql/detect/classes that reads the whole database; null if a component suffices
    constraint break_classes_pkey primary key (class),
    constraint break_classes_severity check (severity in ('low', 'medium', 'high', 'critical')),
    constraint break_classes_news check (news in ('words', 'side'))
);

-- Events of breaks: opened, changed, resolved. The newest event is a break's state.
-- grain: one row per break, clock and attempt
create table payrecon.break_events (
    break_id text collate "C" not null,    -- Hash of family and subject, or period: the same difference keeps its id
    attempt integer not null,              -- Number of this event among those of the break at that clock, from 1
    family text collate "C" not null,      -- Group of classes that share one break id while the class changes
    subject_id text collate "C" not null,  -- Order, charge or other subject that differs
    class text collate "C" not null,       -- Break class: payrecon.break_classes
    severity text collate "C" not null,    -- low, medium, high or critical
    bundle_id text collate "C",            -- App, if the break has one
    environment text collate "C",          -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    order_id text collate "C",             -- Our order: payrecon.orders
    charge_id text collate "C",            -- Our id of the charge: payrecon.charges
    transaction_id text collate "C",       -- Apple's id of the transaction
    user_id text collate "C",              -- Our id of the user
    currency text collate "C",             -- ISO 4217 code
    detail jsonb not null,                 -- Explanation, as a phrase
    run_id text collate "C" not null,      -- Run that recorded it: payrecon.runs
    amount_milliunits bigint,              -- Money at stake, in thousandths of the currency; null if unknown
    is_open boolean not null,              -- false if the event resolves the break
    as_of timestamptz not null,            -- Clock of the run
    opened_at timestamptz not null,        -- When its grace ended, which is before the run that found it
    is_delivered boolean,                  -- Whether an order without charge was delivered; null for other breaks
    -- Clock of the event that last changed more than opened_at, which is no news for a reviewer; null if this one did
    news_at timestamptz,
    constraint break_events_pkey primary key (break_id, as_of, attempt)
);
-- Finds the breaks of a charge.
create index break_events_charge on payrecon.break_events (charge_id) where charge_id is not null;
-- Finds the breaks of an order.
create index break_events_order on payrecon.break_events (order_id) where order_id is not null;
-- Reads what a run changed.
create index break_events_run on payrecon.break_events (run_id, class, is_open);

-- The newest event of each open break, written with payrecon.break_events.
-- grain: one row per open break
create table payrecon.open_breaks (
    break_id text collate "C" not null,    -- Hash of family and subject, or period: the same difference keeps its id
    subject_id text collate "C" not null,  -- Order, charge or other subject that differs
    attempt integer not null,              -- Attempt of the newest event
    as_of timestamptz not null,            -- Clock of the newest event
    place text collate "C",                -- Sort key of the list: most severe first, then oldest
    class text collate "C",                -- Break class: payrecon.break_classes
    bundle_id text collate "C",            -- App, by its bundle id
    constraint open_breaks_pkey primary key (break_id)
);
-- Lists the breaks of an app.
create index open_breaks_app on payrecon.open_breaks (bundle_id, place);
-- Lists the breaks of a class.
create index open_breaks_class on payrecon.open_breaks (class, place);
-- Lists all breaks, most severe first.
create index open_breaks_place on payrecon.open_breaks (place);
-- Finds the break of a subject.
create index open_breaks_subject on payrecon.open_breaks (subject_id);

-- Differences inside their grace time.
-- grain: one row per difference
create table payrecon.pending_breaks (
    break_id text collate "C" not null,    -- Hash of family and subject, or period: the same difference keeps its id
    family text collate "C" not null,      -- Group of classes that share one break id while the class changes
    subject_id text collate "C" not null,  -- Order, charge or other subject that differs
    class text collate "C" not null,       -- Break class: payrecon.break_classes
    bundle_id text collate "C",            -- App, by its bundle id
    environment text collate "C",          -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    order_id text collate "C",             -- Our order: payrecon.orders
    charge_id text collate "C",            -- Our id of the charge: payrecon.charges
    transaction_id text collate "C",       -- Apple's id of the transaction
    user_id text collate "C",              -- Our id of the user
    currency text collate "C",             -- ISO 4217 code
    detail jsonb not null,                 -- Explanation, as a phrase
    amount_milliunits bigint,              -- Money at stake, in thousandths of the currency
    breaks_at timestamptz not null,        -- When it becomes a break
    valid_from timestamptz not null,       -- Clock of the run since which it is in force
    constraint pending_breaks_pkey primary key (break_id)
);
-- Finds the difference of a subject.
create index pending_breaks_subject on payrecon.pending_breaks (subject_id);

-- Differences that were within their grace time before.
-- grain: one row per difference and span
create table payrecon.ended_pending_breaks (
    break_id text collate "C" not null,    -- Hash of family and subject, or period: the same difference keeps its id
    family text collate "C" not null,      -- Group of classes that share one break id while the class changes
    subject_id text collate "C" not null,  -- Order, charge or other subject that differs
    class text collate "C" not null,       -- Break class: payrecon.break_classes
    bundle_id text collate "C",            -- App, by its bundle id
    environment text collate "C",          -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    order_id text collate "C",             -- Our order: payrecon.orders
    charge_id text collate "C",            -- Our id of the charge: payrecon.charges
    transaction_id text collate "C",       -- Apple's id of the transaction
    user_id text collate "C",              -- Our id of the user
    currency text collate "C",             -- ISO 4217 code
    detail jsonb not null,                 -- Explanation, as a phrase
    amount_milliunits bigint,              -- Money at stake, in thousandths of the currency
    breaks_at timestamptz not null,        -- When it becomes a break
    valid_from timestamptz not null,       -- Clock of the run since which it is in force
    valid_to timestamptz not null,         -- Clock of the run that ended it
    constraint ended_pending_breaks_pkey primary key (break_id, valid_from, valid_to)
);

-- Finished runs of detect; new and persisting breaks are determined between them.
-- grain: one row per clock
create table payrecon.detections (
    as_of timestamptz not null,        -- Clock of the run
    run_id text collate "C" not null,  -- Run that recorded it: payrecon.runs
    constraint detections_pkey primary key (as_of)
);

-- Work list: decisions of match that no detect run has evaluated, thousands per row.
-- grain: one row per first id and kind
create table payrecon.undetected (
    first_id text collate "C" not null,  -- Smallest of the ids
    kind text collate "C" not null,      -- order, order_state, chain or chain_state; a state means that only state or price changed
    ids text[] collate "C" not null,     -- Ids; a chain is an original transaction id
    constraint undetected_pkey primary key (first_id, kind),
    constraint undetected_kind check (kind in ('order', 'order_state', 'chain', 'chain_state'))
);

-- Instants at which an order or chain must be evaluated without a new fact, such as the end of a grace time or period.
-- grain: one row per id, kind and instant
create table payrecon.detect_due (
    id text collate "C" not null,    -- Order id, or original transaction id
    kind text collate "C" not null,  -- order or chain
    due_at timestamptz not null,     -- Instant; the run whose clock passes it removes the row
    constraint detect_due_pkey primary key (id, kind, due_at),
    constraint detect_due_kind check (kind in ('order', 'chain'))
);
-- Reads the rows due at a clock.
create index detect_due_due_at on payrecon.detect_due (due_at);
-- Finds the rows of a few batches or of the latest runs.
create index break_events_ranges on payrecon.break_events using brin (as_of) with (autosummarize = on);
-- Finds the rows of a few batches or of the latest runs.
create index ended_pending_breaks_ranges on payrecon.ended_pending_breaks using brin (valid_to) with (autosummarize = on);
