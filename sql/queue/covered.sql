-- purpose: a hash of the breaks that some decisions cover, each as it was when it was decided.
-- parameters: case_ids, decision_ids (text[])
-- grain:   one row
select id_hash(string_agg(
    concat_ws('|', decision.case_id, item.break_id, rfc3339(item.seen_as_of), item.attempt), chr(10)
    order by decision.case_id, item.break_id
)) as covered
from case_decisions as decision
left join lateral unnest(decision.break_ids, decision.seen_as_of, decision.seen_attempts) as item (break_id, seen_as_of, attempt) on true
where decision.case_id = any(:'case_ids'::text[])
    and decision.decision_id = any(:'decision_ids'::text[])
    and decision.proposal_step is null;
