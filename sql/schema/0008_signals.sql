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

-- A text field of a signed payload as Apple wrote it; null when the bytes are no compact signature or lack the field.
create function payrecon.signed_field(body bytea, field text) returns text
language sql immutable parallel safe
as $$
    select case
        when segment ~ '^[A-Za-z0-9_-]+$' and length(segment) % 4 <> 1
            then convert_from(
                decode(translate(segment, '-_', '+/') || repeat('=', (4 - length(segment) % 4) % 4), 'base64'), 'UTF8'
            )::json ->> field
    end
    from (
        -- The first segment may be kept apart (signed_headers); the payload stands before the last dot in both forms.
        select split_part(encode(body, 'escape'), '.', -2) as segment
    ) as payload
$$;

-- List entries that hold at a clock and were known by then.
create function payrecon.lists_at(clock timestamptz) returns setof payrecon.list_entries
language sql stable parallel safe
as $$
    select list_entries.*
    from payrecon.list_entries
    where list_entries.added_at <= clock
        and list_entries.valid_from <= clock
        and list_entries.valid_to > clock
        and not exists (
            select
            from payrecon.list_removals
            where list_removals.entry_id = list_entries.entry_id
                and list_removals.removed_at <= clock
        )
$$;

-- Every signal that was ever raised by a clock: its newest event, and since when it is as strong as it is.
create function payrecon.signals_at(clock timestamptz) returns table (
    signal_id text, rule text, rule_version integer, state text, is_open boolean, subject_kind text, subject_id text,
    bundle_id text, user_id text, order_id text, charge_id text, score bigint, amount_milliunits bigint, currency text,
    happened_at timestamptz, raised_at timestamptz, stronger_at timestamptz, as_of timestamptz, detail text,
    inputs text, parameters text, run_id text
)
language sql stable parallel safe
as $$
    with collapsed as (
        select distinct on (signal_events.signal_id, signal_events.as_of) signal_events.*
        from payrecon.signal_events
        where signal_events.as_of <= clock
        order by signal_events.signal_id, signal_events.as_of, signal_events.attempt desc
    ),
    measured as (
        select
            collapsed.*,
            max(collapsed.score) over (
                partition by collapsed.signal_id, collapsed.raised_at order by collapsed.as_of
                rows between unbounded preceding and 1 preceding
            ) as earlier_score
        from collapsed
    ),
    newest as (
        select
            measured.*,
            max(measured.as_of) filter (where measured.score > coalesce(measured.earlier_score, -1)) over (
                partition by measured.signal_id, measured.raised_at
            ) as stronger_at,
            bool_or(measured.is_open) over (partition by measured.signal_id) as was_ever_open,
            row_number() over (partition by measured.signal_id order by measured.as_of desc) as recency
        from measured
    )
    select
        newest.signal_id, newest.rule, newest.rule_version, newest.state, newest.is_open, newest.subject_kind,
        newest.subject_id, newest.bundle_id, newest.user_id, newest.order_id, newest.charge_id, newest.score,
        newest.amount_milliunits, newest.currency, newest.happened_at, newest.raised_at, newest.stronger_at,
        newest.as_of, newest.detail, newest.inputs, newest.parameters, newest.run_id
    from newest
    where newest.recency = 1
        -- What was raised and lapsed under one clock never was.
        and newest.was_ever_open
$$;

-- What waits for a person, by subject: open signals of live rules and open breaks that are high or critical, about one
-- user (or one order or charge that nobody is known for). Decided cases come back when something new or stronger is found.
create function payrecon.case_items_at(clock timestamptz) returns table (
    case_id text, subject_kind text, subject_id text, item_kind text, item_id text, name text, rank integer,
    is_open boolean, since_at timestamptz, opened_at timestamptz, due_at timestamptz, order_id text, charge_id text,
    amount_milliunits bigint, currency text, detail text
)
language sql stable parallel safe
as $$
    select
        left(encode(sha256(convert_to(item.subject_kind || '|' || item.subject_id, 'UTF8')), 'hex'), 32), item.*
    from (
        select
            case when signal.user_id is null then signal.subject_kind else 'user' end as subject_kind,
            coalesce(signal.user_id, signal.subject_id) as subject_id,
            'signal', signal.signal_id, signal.rule, 3, signal.is_open and signal.state = 'live',
            signal.stronger_at, signal.raised_at, signal.raised_at + interval '48 hours', signal.order_id,
            signal.charge_id, signal.amount_milliunits, signal.currency, signal.detail
        from payrecon.signals_at(clock) as signal
        where signal.state = 'live'
        union all
        select
            case
                when breaks.user_id is not null then 'user'
                when breaks.order_id is not null then 'order'
                when breaks.charge_id is not null then 'charge'
                else 'break'
            end,
            coalesce(breaks.user_id, breaks.order_id, breaks.charge_id, breaks.break_id),
            'break', breaks.break_id, breaks.class, case breaks.severity when 'critical' then 4 else 3 end,
            breaks.is_open, breaks.as_of, breaks.opened_at,
            breaks.opened_at + make_interval(hours => break_classes.due_hours), breaks.order_id, breaks.charge_id,
            breaks.amount_milliunits, breaks.currency, breaks.detail
        from payrecon.breaks_at(clock) as breaks
        inner join payrecon.break_classes on break_classes.class = breaks.class
        where breaks.severity in ('high', 'critical')
    ) as item (
        subject_kind, subject_id, item_kind, item_id, name, rank, is_open, since_at, opened_at, due_at, order_id,
        charge_id, amount_milliunits, currency, detail
    )
$$;

-- Every case at a clock: what it is about, who has it, and what was decided.
create function payrecon.cases_at(clock timestamptz) returns table (
    case_id text, status text, subject_kind text, subject_id text, rank integer, signal_count bigint,
    break_count bigint, names text, amount_milliunits bigint, currency text, opened_at timestamptz,
    due_at timestamptz, taken_by text, lease_until timestamptz, action text, outcome text, reason text,
    decided_by text, decided_at timestamptz, approved_by text, approved_at timestamptz
)
language sql stable parallel safe
as $$
    with last_word as (
        select distinct on (case_decisions.case_id) case_decisions.*
        from payrecon.case_decisions
        where case_decisions.at <= clock
        order by case_decisions.case_id asc, case_decisions.at desc, (case_decisions.step = 'proposed') asc,
            case_decisions.decision_id asc
    ),
    proposal as (
        select case_decisions.case_id, case_decisions.decision_id, case_decisions.at
        from payrecon.case_decisions
        where case_decisions.step = 'proposed'
    ),
    closing as (
        select case_decisions.case_id, max(coalesce(proposal.at, case_decisions.at)) as at
        from payrecon.case_decisions
        left join proposal
            on proposal.case_id = case_decisions.case_id
            and proposal.decision_id = case_decisions.decision_id
        where case_decisions.step = 'effective'
            and case_decisions.at <= clock
        group by case_decisions.case_id
    ),
    lease as (
        select distinct on (case_events.case_id) case_events.*
        from payrecon.case_events
        where case_events.at <= clock
        order by case_events.case_id asc, case_events.at desc, (case_events.action = 'taken') asc,
            case_events.person asc
    ),
    item as (
        select
            items.*,
            items.is_open and items.since_at > coalesce(closing.at, '-infinity') as is_waiting
        from payrecon.case_items_at(clock) as items
        left join closing on closing.case_id = items.case_id
    ),
    gathered as (
        select
            item.case_id,
            min(item.subject_kind) as subject_kind,
            min(item.subject_id) as subject_id,
            bool_or(item.is_waiting) as is_waiting,
            max(item.rank) filter (where item.is_open) as rank,
            count(*) filter (where item.is_open and item.item_kind = 'signal') as signal_count,
            count(*) filter (where item.is_open and item.item_kind = 'break') as break_count,
            string_agg(distinct item.name collate "C", ' ' order by item.name collate "C")
                filter (where item.is_open) as names,
            case
                when min(item.currency) filter (where item.is_open) = max(item.currency) filter (where item.is_open)
                    then max(item.amount_milliunits) filter (where item.is_open)
            end as amount_milliunits,
            case
                when min(item.currency) filter (where item.is_open) = max(item.currency) filter (where item.is_open)
                    then min(item.currency) filter (where item.is_open)
            end as currency,
            min(item.opened_at) as opened_at,
            min(item.due_at) filter (where item.is_waiting) as due_at
        from item
        group by item.case_id
    )
    select
        gathered.case_id,
        case
            when last_word.step = 'proposed' then 'waiting_approval'
            when lease.action = 'taken' and lease.lease_until > clock and gathered.is_waiting then 'taken'
            when gathered.is_waiting then 'open'
            when last_word.step = 'effective' then 'closed'
            else 'lapsed'
        end,
        gathered.subject_kind, gathered.subject_id, coalesce(gathered.rank, 0), gathered.signal_count,
        gathered.break_count, gathered.names, gathered.amount_milliunits, gathered.currency, gathered.opened_at,
        gathered.due_at,
        case when lease.action = 'taken' and lease.lease_until > clock then lease.person end,
        case when lease.action = 'taken' and lease.lease_until > clock then lease.lease_until end,
        last_word.action, last_word.outcome, last_word.reason, last_word.decided_by,
        coalesce(proposal.at, last_word.at), last_word.approved_by,
        case when last_word.approved_by is not null then last_word.at end
    from gathered
    left join last_word on last_word.case_id = gathered.case_id
    left join proposal
        on proposal.case_id = last_word.case_id
        and proposal.decision_id = last_word.decision_id
    left join lease on lease.case_id = gathered.case_id
$$;

do $$
begin
    if exists (select from pg_roles where rolname = 'payrecon_jobs') then
        grant select, insert on
            payrecon.signal_events, payrecon.list_entries, payrecon.list_removals, payrecon.case_events,
            payrecon.case_decisions, payrecon.consumption_answers
        to payrecon_jobs;
        grant select, insert, update, delete on payrecon.case_leases to payrecon_jobs;
        grant execute on all functions in schema payrecon to payrecon_jobs;
    end if;
    if exists (select from pg_roles where rolname = 'payrecon_reader') then
        grant select on
            payrecon.signal_events, payrecon.list_entries, payrecon.list_removals, payrecon.case_events,
            payrecon.case_decisions, payrecon.consumption_answers, payrecon.case_leases
        to payrecon_reader;
        grant execute on all functions in schema payrecon to payrecon_reader;
    end if;
end
$$;
