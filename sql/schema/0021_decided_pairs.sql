-- purpose: rung M0: what two people decided about an order and a charge is honoured by the ladder until it is taken back; and
--          which batches a run read.

-- Pairs on which the latest match run honoured a decision: a projection, so that the next one sees what changed.
create table payrecon.decided_pairs (
    order_id text collate "C" not null,
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    action text collate "C" not null,
    decision_id text collate "C" not null,
    constraint decided_pairs_pkey primary key (order_id, charge_id),
    constraint decided_pairs_action check (action in ('forced_match', 'unmatch', 'benign_duplicate'))
);

alter table payrecon.matches drop constraint matches_rung;
alter table payrecon.matches add constraint matches_rung check (rung in ('M0', 'M1', 'M2', 'M3', 'M4', 'M5', 'M6'));
alter table payrecon.matches drop constraint matches_confidence;
alter table payrecon.matches
add constraint matches_confidence check (confidence in ('decided', 'exact', 'derived', 'heuristic'));

alter table payrecon.case_decisions drop constraint case_decisions_action;
alter table payrecon.case_decisions
add constraint case_decisions_action check (
    action in (
        'dismiss', 'watch', 'contact', 'take_back', 'ban', 'forced_match', 'unmatch', 'benign_duplicate', 'write_off'
    )
);
alter table payrecon.case_decisions drop constraint case_decisions_second_person;
alter table payrecon.case_decisions
add constraint case_decisions_second_person check (
    case
        when action not in ('ban', 'forced_match', 'unmatch', 'benign_duplicate', 'write_off') then step = 'effective'
        when step = 'proposed' then approved_by is null and proposal_step is null
        else approved_by is not null and proposal_step is not distinct from 'proposed'
    end
);
alter table payrecon.case_undos drop constraint case_undos_second_person;
alter table payrecon.case_undos
add constraint case_undos_second_person check (
    case
        when action not in ('ban', 'forced_match', 'unmatch', 'benign_duplicate', 'write_off') then step = 'effective'
        when step = 'proposed' then approved_by is null and proposal_step is null
        else approved_by is not null and proposal_step is not distinct from 'proposed'
    end
);

-- The last batch that a deciding run read: it saw that state of all inputs and nothing newer, whatever came in beside it.
alter table payrecon.runs add column last_batch_id bigint;
