-- purpose: Returns the review of cases at a clock: decision and lease. The decision is the last one that was not rejected,
--          withdrawn or undone; a ban comes before it, unless that last one awaits approval. An undo that awaits approval is
--          the action. null selects all cases. scope: of the decision.
-- grain:   one row per case with one of these; step is null without a decision, taken_by without a lease
create or replace function payrecon.reviews_at(clock timestamptz, case_ids text[] default null) returns table (
    case_id text, subject_kind text, subject_id text, step text, last_at timestamptz, is_proposed boolean, action text, outcome text,
    reason text, decided_by text, decided_at timestamptz, decided_account text, approved_by text, approved_at timestamptz,
    approved_account text, taken_by text, lease_until timestamptz, scope text
)
language sql stable parallel safe
as $$
    with undo as (
        select distinct on (proposal.case_id) proposal.*
        from payrecon.pending_undos_at(clock) as proposal
        where (reviews_at.case_ids is null or proposal.case_id = any(reviews_at.case_ids collate "C"))
        order by proposal.case_id asc, proposal.at desc, proposal.undo_id asc
    ),
    standing as (
        select
            decisions.*,
            decisions.action = 'ban' and decisions.step = 'effective' as is_ban,
            first_value(decisions.step) over (
                partition by decisions.case_id
                order by decisions.at desc, (decisions.step = 'proposed') asc, decisions.decision_id asc
            ) as newest_step
        from (
            select effective.* from payrecon.effective_decisions_at(clock) as effective
            union all
            select pending.* from payrecon.pending_decisions_at(clock) as pending
        ) as decisions
        where (reviews_at.case_ids is null or decisions.case_id = any(reviews_at.case_ids collate "C"))
    ),
    -- A later decision on what came in since does not hide a ban, but a proposal that awaits approval does.
    decision as (
        select distinct on (standing.case_id) standing.*
        from standing
        order by
            standing.case_id, (standing.is_ban and standing.newest_step = 'effective') desc, standing.at desc,
            (standing.step = 'proposed'), standing.decision_id
    ),
    lease as (
        select distinct on (case_events.case_id) case_events.*
        from payrecon.case_events
        where case_events.at <= clock
            and (reviews_at.case_ids is null or case_events.case_id = any(reviews_at.case_ids collate "C"))
        order by case_events.case_id asc, case_events.at desc, (case_events.action = 'taken') asc,
            case_events.person asc
    )
    select
        coalesce(decision.case_id, undo.case_id, lease.case_id), decision.subject_kind, decision.subject_id, decision.step, decision.at,
        undo.case_id is not null or coalesce(decision.step = 'proposed', false),
        case when undo.case_id is null then decision.action else 'undo' end,
        decision.outcome, coalesce(undo.reason, decision.reason), coalesce(undo.asked_by, decision.decided_by),
        coalesce(undo.at, proposal.at, decision.at),
        case
            when undo.case_id is not null then undo.account
            when decision.proposal_step is not null then decision.proposal_account
            else decision.account
        end,
        case when undo.case_id is null then decision.approved_by end,
        case when undo.case_id is null and decision.approved_by is not null then decision.at end,
        case when undo.case_id is null and decision.approved_by is not null then decision.account end,
        case when lease.action = 'taken' and lease.lease_until > clock then lease.person end,
        case when lease.action = 'taken' and lease.lease_until > clock then lease.lease_until end,
        coalesce(proposal.scope, decision.scope)
    from decision
    full join undo on undo.case_id = decision.case_id
    full join lease on lease.case_id = coalesce(decision.case_id, undo.case_id)
    left join payrecon.case_decisions as proposal
        on proposal.case_id = decision.case_id
        and proposal.decision_id = decision.decision_id
        and proposal.step = 'proposed'
$$;
