-- purpose: what people decided about a case decides its breaks, and two people are two accounts.
-- rules:   the account is the one that the database authenticated, written by the database itself (sql/functions/stamp_*),
--          whatever the program says; decisions from before carry the login of the operating system, and count as they did.

alter table payrecon.case_decisions
    -- Who vouches for the account: the operating system (rows from before) or the database.
    add column account_kind text collate "C" not null default 'system',
    -- Account of the proposal that this row settles.
    add column proposal_account text collate "C",
    -- Whether all that waits in the case is meant, or only what the decision names.
    add column scope text collate "C" not null default 'case',
    -- Breaks that the decision is about, and the event of each that the person saw; null in rows from before, and in rows
    -- that settle a proposal, which says it.
    add column break_ids text[] collate "C",
    add column seen_as_of timestamptz[],
    add column seen_attempts integer[],
    -- Until when an acceptance or a dismissal holds; null: until the facts change.
    add column holds_until timestamptz;

alter table payrecon.case_decisions
    drop constraint case_decisions_step,
    drop constraint case_decisions_action,
    drop constraint case_decisions_two_people,
    drop constraint case_decisions_second_person;
alter table payrecon.case_decisions
    add constraint case_decisions_step check (step in ('proposed', 'effective', 'rejected', 'withdrawn')),
    add constraint case_decisions_action check (
        action in (
            'accept', 'dismiss', 'watch', 'contact', 'take_back', 'ban', 'forced_match', 'unmatch', 'benign_duplicate',
            'write_off'
        )
    ),
    add constraint case_decisions_second_person check (
        case
            when action not in ('ban', 'forced_match', 'unmatch', 'benign_duplicate', 'write_off') then step = 'effective'
            when step = 'proposed' then approved_by is null and proposal_step is null
            else btrim(approved_by) <> '' and approved_by is not null and proposal_step is not distinct from 'proposed'
        end
    ),
    add constraint case_decisions_account_kind check (account_kind in ('system', 'database')),
    -- Two people are two accounts; who proposed may withdraw, and nobody else may for them.
    add constraint case_decisions_two_accounts check (
        account_kind = 'system'
        or case
            when step = 'effective' and proposal_step is not null
                then proposal_account is not null and proposal_account <> account
            when step = 'rejected' then proposal_account is null or proposal_account <> account
            when step = 'withdrawn' then proposal_account is not null and proposal_account = account
            -- Nobody stands beside a decision but who settled a proposal.
            else proposal_account is null and approved_by is null
        end
    ),
    add constraint case_decisions_scope check (scope in ('case', 'named')),
    add constraint case_decisions_seen check (
        (break_ids is null) = (account_kind = 'system' or proposal_step is not null)
        and cardinality(break_ids) is not distinct from cardinality(seen_as_of)
        and cardinality(break_ids) is not distinct from cardinality(seen_attempts)
    ),
    add constraint case_decisions_until check (
        holds_until is null or (action in ('accept', 'dismiss') and holds_until > at)
    );

alter table payrecon.case_undos
    add column account_kind text collate "C" not null default 'system',
    add column proposal_account text collate "C";
alter table payrecon.case_undos
    drop constraint case_undos_step,
    drop constraint case_undos_two_people,
    drop constraint case_undos_second_person;
alter table payrecon.case_undos
    add constraint case_undos_step check (step in ('proposed', 'effective', 'rejected', 'withdrawn')),
    add constraint case_undos_second_person check (
        case
            when action not in ('ban', 'forced_match', 'unmatch', 'benign_duplicate', 'write_off') then step = 'effective'
            when step = 'proposed' then approved_by is null and proposal_step is null
            else btrim(approved_by) <> '' and approved_by is not null and proposal_step is not distinct from 'proposed'
        end
    ),
    add constraint case_undos_account_kind check (account_kind in ('system', 'database')),
    add constraint case_undos_two_accounts check (
        account_kind = 'system'
        or case
            when step = 'effective' and proposal_step is not null
                then proposal_account is not null and proposal_account <> account
            when step = 'rejected' then proposal_account is null or proposal_account <> account
            when step = 'withdrawn' then proposal_account is not null and proposal_account = account
            else proposal_account is null and approved_by is null
        end
    );
