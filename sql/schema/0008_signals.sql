-- purpose: suspicions that rules raised, the lists people keep, and what people decided; nothing here acts by itself.

-- One row each time a signal is raised, changes or lapses; the newest is its state. Append-only.
-- happened_at is when the suspicious thing happened, as_of the clock of the run that knew it.
create table payrecon.signal_events (
    signal_id text collate "C" not null,
    attempt integer not null,
    rule text collate "C" not null,
    rule_version integer not null,
    state text collate "C" not null,
    subject_kind text collate "C" not null,
    subject_id text collate "C" not null,
    bundle_id text collate "C",
    user_id text collate "C",
    order_id text collate "C",
    charge_id text collate "C",
    currency text collate "C",
    detail text collate "C" not null,
    -- The facts that the rule looked at and the parameters it used, as JSON with a fixed order of keys.
    inputs text collate "C" not null,
    parameters text collate "C" not null,
    run_id text collate "C" not null,
    score bigint not null,
    amount_milliunits bigint,
    is_open boolean not null,
    happened_at timestamptz not null,
    raised_at timestamptz not null,
    as_of timestamptz not null,
    constraint signal_events_pkey primary key (signal_id, as_of, attempt),
    constraint signal_events_state check (state in ('shadow', 'live', 'allowed')),
    constraint signal_events_subject check (
        subject_kind in ('user', 'device', 'order', 'charge', 'chain', 'ring')
    )
);

-- Entries of the lists: who, why, by whom, until when. Append-only; an entry ends by its date or by a removal.
create table payrecon.list_entries (
    entry_id text collate "C" not null,
    list text collate "C" not null,
    subject_kind text collate "C" not null,
    subject_id text collate "C" not null,
    -- Which family a member belongs to; empty on the other lists.
    family text collate "C" not null default '',
    -- Rule that an allowance is for; empty allows for all of them.
    rule text collate "C" not null default '',
    owner text collate "C" not null,
    reason text collate "C" not null,
    account text collate "C" not null,
    valid_from timestamptz not null,
    valid_to timestamptz not null,
    added_at timestamptz not null,
    constraint list_entries_pkey primary key (entry_id),
    constraint list_entries_list check (list in ('allow', 'block', 'tester', 'family')),
    constraint list_entries_kind check (subject_kind in ('user', 'device', 'order', 'charge', 'chain')),
    constraint list_entries_people check (list not in ('tester', 'family') or subject_kind = 'user'),
    constraint list_entries_family check ((list = 'family') = (family <> '')),
    constraint list_entries_rule check (rule = '' or list = 'allow'),
    constraint list_entries_said check (subject_id <> '' and owner <> '' and reason <> ''),
    constraint list_entries_span check (valid_from < valid_to)
);

create table payrecon.list_removals (
    entry_id text collate "C" not null,
    removed_by text collate "C" not null,
    reason text collate "C" not null,
    removed_at timestamptz not null,
    constraint list_removals_pkey primary key (entry_id),
    constraint list_removals_said check (removed_by <> '' and reason <> '')
);

-- Who works on a case until when; the primary key is what gives a case to one person.
create table payrecon.case_leases (
    case_id text collate "C" not null,
    person text collate "C" not null,
    account text collate "C" not null,
    taken_at timestamptz not null,
    lease_until timestamptz not null,
    constraint case_leases_pkey primary key (case_id),
    constraint case_leases_person check (person <> '')
);

-- Takings and releases, for the history. Append-only.
create table payrecon.case_events (
    case_id text collate "C" not null,
    action text collate "C" not null,
    person text collate "C" not null,
    account text collate "C" not null,
    reason text collate "C" not null,
    at timestamptz not null,
    lease_until timestamptz,
    constraint case_events_pkey primary key (case_id, at, action, person),
    constraint case_events_action check (action in ('taken', 'released'))
);

-- What people decided. A ban, a forced match or a write-off is only proposed by the first person; the row that makes it
-- effective must quote that proposal, by key, and name a second person. Append-only.
create table payrecon.case_decisions (
    case_id text collate "C" not null,
    decision_id text collate "C" not null,
    step text collate "C" not null,
    action text collate "C" not null,
    outcome text collate "C" not null,
    subject_kind text collate "C" not null,
    subject_id text collate "C" not null,
    order_id text collate "C",
    charge_id text collate "C",
    currency text collate "C",
    reason text collate "C" not null,
    decided_by text collate "C" not null,
    approved_by text collate "C",
    account text collate "C" not null,
    proposal_step text collate "C",
    amount_milliunits bigint,
    at timestamptz not null,
    constraint case_decisions_pkey primary key (case_id, decision_id, step),
    constraint case_decisions_proposal_key unique (case_id, decision_id, step, action, decided_by),
    constraint case_decisions_step check (step in ('proposed', 'effective', 'rejected')),
    constraint case_decisions_action check (
        action in ('dismiss', 'watch', 'contact', 'take_back', 'ban', 'forced_match', 'write_off')
    ),
    constraint case_decisions_outcome check (outcome in ('confirmed', 'suspected', 'false_positive')),
    constraint case_decisions_said check (reason <> '' and decided_by <> ''),
    constraint case_decisions_two_people check (
        lower(btrim(approved_by)) <> lower(btrim(decided_by)) and btrim(approved_by) <> ''
    ),
    constraint case_decisions_second_person check (
        case
            when action not in ('ban', 'forced_match', 'write_off') then step = 'effective'
            when step = 'proposed' then approved_by is null and proposal_step is null
            else approved_by is not null and proposal_step is not distinct from 'proposed'
        end
    ),
    constraint case_decisions_proposal foreign key (case_id, decision_id, proposal_step, action, decided_by)
        references payrecon.case_decisions (case_id, decision_id, step, action, decided_by)
);

-- A proposal ends once: nobody approves what somebody else rejects at the same moment.
create unique index case_decisions_one_end on payrecon.case_decisions (case_id, decision_id) where step <> 'proposed';

-- Answers to Apple's consumption requests, or why none was given; Apple keeps no such list. Append-only.
create table payrecon.consumption_answers (
    transaction_id text collate "C" not null,
    outcome text collate "C" not null,
    person text collate "C" not null,
    reason text collate "C" not null,
    answered_at timestamptz not null,
    constraint consumption_answers_pkey primary key (transaction_id, answered_at),
    constraint consumption_answers_outcome check (outcome in ('sent', 'no_consent')),
    constraint consumption_answers_person check (person <> '')
);

-- Orders that an employee booked: rare, and asked for every night.
create index orders_operator on payrecon.orders (operator_id) where operator_id is not null;
