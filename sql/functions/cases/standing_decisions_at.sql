-- purpose: Returns what lookups say about decisions at a clock, as phrases: decisions in force, and proposals that wait for a
--          second person. What is accepted, dismissed or written off is left out, because breaks state it (decided_breaks_at).
-- grain:   one row per decision
create or replace function payrecon.standing_decisions_at(clock timestamptz) returns table (
    case_id text, break_ids text[], action text, at timestamptz, words jsonb
)
language sql stable parallel safe
as $$
    select
        decision.case_id, decision.break_ids, decision.action, decision.at,
        payrecon.phrase(decision.key, jsonb_build_object(
            'action', payrecon.phrase('action.' || decision.action), 'at', payrecon.rfc3339(decision.at), 'case', decision.case_id,
            'people', coalesce(
                payrecon.phrase('list.and', 'first', decision.decided_by, 'second', decision.approved_by), to_jsonb(decision.decided_by)
            ),
            'reason', decision.reason
        ))
    from (
        select
            closings.case_id, closings.break_ids, closings.action, closings.effective_at, closings.decided_by,
            closings.approved_by, closings.reason, 'explain.case_decided'
        from payrecon.closings_at(clock) as closings
        where closings.action not in ('accept', 'dismiss', 'write_off')
        union all
        select
            proposal.case_id, proposal.break_ids, proposal.action, proposal.at, proposal.decided_by, null, proposal.reason,
            'explain.case_proposed'
        from payrecon.pending_decisions_at(clock) as proposal
    ) as decision (case_id, break_ids, action, at, decided_by, approved_by, reason, key)
$$;
