-- purpose: Returns the proposed decisions that awaited a second approval at a clock, and those that await one now.
-- grain:   one row per pending proposal
create or replace function payrecon.pending_decisions_at(clock timestamptz) returns setof payrecon.case_decisions
language sql stable parallel safe
as $$
    select proposal.*
    from payrecon.case_decisions as proposal
    where proposal.step = 'proposed'
        and proposal.at <= clock
        and not exists (
            select 1
            from payrecon.case_decisions as later
            where later.case_id = proposal.case_id
                and later.decision_id = proposal.decision_id
                and later.step <> 'proposed'
                and later.at <= clock
        )
$$;

create or replace view payrecon.pending_decisions with (security_invoker = true) as
select * from payrecon.pending_decisions_at('infinity');

-- Returns the proposed undos of decisions, likewise.
create or replace function payrecon.pending_undos_at(clock timestamptz) returns setof payrecon.case_undos
language sql stable parallel safe
as $$
    select proposal.*
    from payrecon.case_undos as proposal
    where proposal.step = 'proposed'
        and proposal.at <= clock
        and not exists (
            select 1
            from payrecon.case_undos as later
            where later.case_id = proposal.case_id
                and later.decision_id = proposal.decision_id
                and later.undo_id = proposal.undo_id
                and later.step <> 'proposed'
                and later.at <= clock
        )
$$;

create or replace view payrecon.pending_undos with (security_invoker = true) as
select * from payrecon.pending_undos_at('infinity');

-- Returns what is proposed for a case, by the ids of the decision or of the undos; null if nothing is. An approval that
-- names them approves what its author saw.
create or replace function payrecon.proposal_id(case_id text)
returns text
language sql stable parallel safe
as $$
select string_agg(proposal.id, ' ' order by proposal.id)
from (
    select pending_decisions.decision_id as id
    from payrecon.pending_decisions
    where pending_decisions.case_id = $1
    union all
    select pending_undos.undo_id
    from payrecon.pending_undos
    where pending_undos.case_id = $1
) as proposal
$$;
