-- purpose: what people arrange about cases beside deciding them: setting aside for a while, whose work one is, who follows it;
--          and which decisions were made in one go.
-- rules:   append-only; the newest row of a case and topic holds, by person where somebody follows it.

create table payrecon.case_marks (
    case_id text collate "C" not null,
    number bigint generated always as identity,
    topic text collate "C" not null,
    -- Whether it holds from here on, or ended.
    is_set boolean not null,
    -- Account that the case is for.
    assignee text collate "C",
    -- When a case that was set aside comes back, and the breaks and signals that were set aside with it: another one brings
    -- it back before that.
    returns_at timestamptz,
    item_ids text[] collate "C" not null default '{}',
    person text collate "C" not null,
    account text collate "C" not null,
    reason text collate "C" not null,
    at timestamptz not null,
    constraint case_marks_pkey primary key (case_id, number),
    constraint case_marks_topic check (topic in ('snooze', 'assignment', 'following')),
    constraint case_marks_said check (person <> ''),
    constraint case_marks_whole check (
        (topic = 'snooze' and is_set) = (returns_at is not null)
        and (topic = 'assignment' and is_set) = (assignee is not null)
    )
);

-- One row per decision of a batch.
create table payrecon.case_batches (
    batch_id text collate "C" not null,
    case_id text collate "C" not null,
    decision_id text collate "C" not null,
    account text collate "C" not null,
    at timestamptz not null,
    constraint case_batches_pkey primary key (batch_id, case_id, decision_id),
    constraint case_batches_id check (batch_id ~ '^[0-9a-f]{32}$')
);

-- A session of a browser, or a token with which programs act as the account; what a token is for.
alter table payrecon.console_sessions add column kind text collate "C" not null default 'browser';
alter table payrecon.console_sessions add column called text collate "C";
alter table payrecon.console_sessions add constraint console_sessions_kind
check (kind in ('browser', 'token') and (kind = 'token') = (called is not null));

alter table payrecon.console_cases add column assignee text collate "C";
alter table payrecon.console_cases add column returns_at timestamptz;
create index console_cases_by_assignee on payrecon.console_cases (assignee) where assignee is not null;
