-- purpose: the decisions of one batch, limited to an account's inboxes.
-- parameters: batch_id (text), inboxes (text[]): none for all; rows (bigint)
-- grain:   one row per decision
select
    kept.case_id, kept.subject, kept.shown_status as status, decision.action, decision.outcome, decision.reason,
    made.account, rfc3339(made.at) as at
from case_batches as made
inner join case_decisions as decision using (case_id, decision_id)
inner join case_summaries as kept on kept.case_id = made.case_id
where made.batch_id = :'batch_id'::text
    and decision.step in ('proposed', 'effective')
    and decision.proposal_step is null
    and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
order by kept.case_id
limit :'rows'::bigint;
