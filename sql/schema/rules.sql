-- purpose: Abuse rules, their signals, the lists that they respect, and trials of other parameters.

-- Rules as they ship, filled from sql/reference/rules.csv. Settings override state, version and parameters for a run, never this table.
-- grain: one row per rule
create table payrecon.rules (
    rule text collate "C" not null,    -- Code of the rule, such as R01
    file text collate "C" not null,    -- File in sql/rules, without ending
    title text collate "C" not null,   -- Title of its signals
    state text collate "C" not null,   -- draft, shadow or live
    version integer not null,          -- Version of the rule
    parameters text collate "C",       -- name=value; …: 30d is a duration, 3 a count, [a b] texts, {CNY:3} a number per currency
    extent text collate "C" not null,  -- near: reads what is near a change; all: reads everything
    sales_of text collate "C",         -- Users whose purchases it reads: with refunds, buying abroad, or buying often
    constraint rules_pkey primary key (rule),
    constraint rules_file unique (file),
    constraint rules_state check (state in ('draft', 'shadow', 'live')),
    constraint rules_extent check (extent in ('near', 'all')),
    constraint rules_sales_of check (sales_of in ('refunds', 'abroad', 'busy'))
);

-- Events of signals: raised, changed, lapsed. The newest event is a signal's state.
-- grain: one row per signal, clock and attempt
create table payrecon.signal_events (
    signal_id text collate "C" not null,     -- Hash of rule and subject
    attempt integer not null,                -- Attempt of the run at that clock
    rule text collate "C" not null,          -- Rule: payrecon.rules
    rule_version integer not null,           -- Version of the rule that was evaluated
    state text collate "C" not null,         -- shadow, live or allowed
    subject_kind text collate "C" not null,  -- user, device, order, charge, chain or ring
    subject_id text collate "C" not null,    -- The subject's id
    bundle_id text collate "C",              -- App, if the signal has one
    user_id text collate "C",                -- Our id of the user
    order_id text collate "C",               -- Our order: payrecon.orders
    charge_id text collate "C",              -- Our id of the charge: payrecon.charges
    currency text collate "C",               -- ISO 4217 code
    detail jsonb not null,                   -- Explanation, as a phrase
    inputs text collate "C" not null,        -- Facts that the rule read, as JSON with a fixed order of keys
    parameters text collate "C" not null,    -- Parameters that it used, as JSON with a fixed order of keys
    run_id text collate "C" not null,        -- Run that recorded it: payrecon.runs
    score bigint not null,                   -- Points, for the order of the queue
    amount_milliunits bigint,                -- Money at stake, in thousandths of the currency
    is_open boolean not null,                -- false if the event ends the signal
    happened_at timestamptz not null,        -- When the suspicious act happened
    raised_at timestamptz not null,          -- When the signal was raised
    as_of timestamptz not null,              -- Clock of the run
    constraint signal_events_pkey primary key (signal_id, as_of, attempt),
    constraint signal_events_state check (state in ('shadow', 'live', 'allowed')),
    constraint signal_events_subject check (
        subject_kind in ('user', 'device', 'order', 'charge', 'chain', 'ring')
    )
);
-- Finds the signals of a charge.
create index signal_events_charge on payrecon.signal_events (charge_id) where charge_id is not null;
-- Finds the signals of an order.
create index signal_events_order on payrecon.signal_events (order_id) where order_id is not null;
-- Finds the signals about a user.
create index signal_events_user on payrecon.signal_events (user_id) where user_id is not null;
-- Finds the signals of a subject.
create index signal_events_subject on payrecon.signal_events (subject_id, subject_kind);

-- The newest event of each open signal, written with payrecon.signal_events.
-- grain: one row per open signal
create table payrecon.open_signals (
    signal_id text collate "C" not null,  -- Signal: payrecon.signal_events
    rule text collate "C" not null,       -- Rule: payrecon.rules
    state text collate "C" not null,      -- shadow, live or allowed
    attempt integer not null,             -- Attempt of the newest event
    as_of timestamptz not null,           -- Clock of the newest event
    constraint open_signals_pkey primary key (signal_id)
);

-- Entries of the lists that rules respect. An entry ends by its date or by a removal.
-- grain: one row per entry
create table payrecon.list_entries (
    entry_id text collate "C" not null,           -- Id of the entry
    list text collate "C" not null,               -- allow, block, tester or family
    subject_kind text collate "C" not null,       -- user, device, order, charge or chain
    subject_id text collate "C" not null,         -- The subject's id
    family text collate "C" not null default '',  -- Family of a member; empty on other lists
    rule text collate "C" not null default '',    -- Rule that an allowance is for; empty for all rules
    owner text collate "C" not null,              -- Responsible person
    reason text collate "C" not null,             -- Reason, as entered by the person or program
    account text collate "C" not null,            -- Authenticated account, written by the database
    valid_from timestamptz not null,              -- When it starts
    valid_to timestamptz not null,                -- When it ends
    added_at timestamptz not null,                -- Clock of the act
    constraint list_entries_pkey primary key (entry_id),
    constraint list_entries_list check (list in ('allow', 'block', 'tester', 'family')),
    constraint list_entries_kind check (subject_kind in ('user', 'device', 'order', 'charge', 'chain')),
    constraint list_entries_people check (list not in ('tester', 'family') or subject_kind = 'user'),
    constraint list_entries_family check ((list = 'family') = (family <> '')),
    constraint list_entries_rule check (rule = '' or list = 'allow'),
    constraint list_entries_said check (subject_id <> '' and owner <> '' and reason <> ''),
    constraint list_entries_span check (valid_from < valid_to)
);
-- Reads the members of a family.
create index list_entries_family on payrecon.list_entries (family) where list = 'family';
-- Finds the entries of a subject.
create index list_entries_subject on payrecon.list_entries (subject_id, list);

-- Removals of list entries.
-- grain: one row per removed entry
create table payrecon.list_removals (
    entry_id text collate "C" not null,         -- Entry: payrecon.list_entries
    removed_by text collate "C" not null,       -- Person's name, as entered
    reason text collate "C" not null,           -- Reason, as entered by the person or program
    removed_at timestamptz not null,            -- Clock of the act
    is_mistake boolean not null default false,  -- Whether the entry was a mistake, so that it covers no earlier purchase either
    constraint list_removals_pkey primary key (entry_id),
    constraint list_removals_said check (removed_by <> '' and reason <> '')
);

-- Requests to evaluate a rule with other parameters on past nights.
-- grain: one row per trial
create table payrecon.rule_trials (
    trial_id text collate "C" not null,    -- Random id, 32 hexadecimal digits
    rule text collate "C" not null,        -- Rule: payrecon.rules
    parameters text collate "C" not null,  -- name=value, in the order of names
    night_max integer not null,            -- Greatest number of complete nights before the clock that are evaluated
    person text collate "C" not null,      -- Person's name, as entered
    account text collate "C" not null,     -- Authenticated account, written by the database
    at timestamptz not null,               -- Clock of the act
    constraint rule_trials_pkey primary key (trial_id),
    constraint rule_trials_id check (trial_id ~ '^[0-9a-f]{32}$'),
    constraint rule_trials_nights check (night_max between 1 and 90),
    constraint rule_trials_said check (rule <> '' and person <> '')
);

-- Findings of a trial at the clock of one night.
-- grain: one row per trial and night
create table payrecon.rule_trial_nights (
    trial_id text collate "C" not null,  -- Trial: payrecon.rule_trials
    as_of timestamptz not null,          -- Clock of the night
    run_id text collate "C" not null,    -- Run of that night: payrecon.runs
    signal_count bigint not null,        -- Signals that the trial finds
    new_count bigint not null,           -- Of these: not open as live signals of the rule at that clock
    gone_count bigint not null,          -- Open live signals of the rule at that clock that the trial does not find
    case_count bigint not null,          -- Cases of the signals
    constraint rule_trial_nights_pkey primary key (trial_id, as_of)
);

-- Outcomes of trials: totals over their nights, and the decisions on their cases.
-- grain: one row per ended trial
create table payrecon.rule_trial_ends (
    trial_id text collate "C" not null,                       -- Trial: payrecon.rule_trials
    outcome text collate "C" not null,                        -- finished or failed
    fault text collate "C",                                   -- Why it failed; null if it finished
    night_count integer not null,                             -- Nights that were evaluated
    signal_count bigint not null,                             -- Signals of all nights
    new_count bigint not null,                                -- Of these: not live at their night
    gone_count bigint not null,                               -- Live signals that the trial does not find
    case_count bigint not null,                               -- Cases of the signals
    confirmed_count bigint not null,                          -- Of these: decided as confirmed
    suspected_count bigint not null,                          -- Of these: decided as suspected
    false_positive_count bigint not null,                     -- Of these: decided as false positive
    code_version text collate "C" not null,                   -- Version of the program
    ended_at timestamptz not null default clock_timestamp(),  -- Server's clock at the end
    constraint rule_trial_ends_pkey primary key (trial_id),
    constraint rule_trial_ends_outcome check (outcome in ('finished', 'failed') and (outcome = 'failed') = (fault is not null)),
    constraint rule_trial_ends_judged check (confirmed_count + suspected_count + false_positive_count <= case_count)
);

-- Steps of a change of a rule, which needs two accounts. A live rule needs a finished trial with the same parameters.
-- grain: one row per change and step
create table payrecon.rule_changes (
    change_id text collate "C" not null,   -- Random id, 32 hexadecimal digits
    step text collate "C" not null,        -- proposed, approved, rejected or withdrawn
    rule text collate "C" not null,        -- Rule: payrecon.rules
    version integer not null,              -- Version that the change makes
    state text collate "C" not null,       -- draft, shadow or live
    parameters text collate "C" not null,  -- name=value, in the order of names
    trial_id text collate "C",             -- Trial that supports it: payrecon.rule_trials
    person text collate "C" not null,      -- Person's name, as entered
    account text collate "C" not null,     -- Authenticated account, written by the database
    proposal_step text collate "C",        -- 'proposed' in a row that concludes a proposal; else null
    proposal_account text collate "C",     -- Account of the proposal that this row concludes
    reason text collate "C" not null,      -- Reason, as entered by the person or program
    at timestamptz not null,               -- Clock of the act
    constraint rule_changes_pkey primary key (change_id, step),
    constraint rule_changes_id check (change_id ~ '^[0-9a-f]{32}$'),
    constraint rule_changes_step check (step in ('proposed', 'approved', 'rejected', 'withdrawn')),
    constraint rule_changes_concludes check ((step = 'proposed') = (proposal_step is null)),
    constraint rule_changes_concluded check (proposal_step = 'proposed'),
    constraint rule_changes_state check (state in ('draft', 'shadow', 'live')),
    constraint rule_changes_version check (version > 0),
    constraint rule_changes_tried check (state <> 'live' or trial_id is not null),
    constraint rule_changes_said check (person <> '' and reason ~ '[^[:space:]]'),
    constraint rule_changes_two_accounts check (
        case step
            when 'proposed' then proposal_account is null
            when 'withdrawn' then proposal_account is not null and lower(proposal_account) = lower(account)
            else proposal_account is not null and lower(proposal_account) <> lower(account)
        end
    )
);
-- Concludes a proposal once.
create unique index rule_changes_once on payrecon.rule_changes (change_id) where step <> 'proposed';
-- Approves a version of a rule once.
create unique index rule_changes_versions on payrecon.rule_changes (rule, version) where step = 'approved';
