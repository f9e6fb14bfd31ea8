-- purpose: the proposal of a case that awaits a second approval.
-- parameters: case_id (text)
-- grain:   one row; none if nothing is proposed
select proposal.action, proposal.order_id, proposal.charge_id,
    case when proposal.scope = 'named' then array_to_string(proposal.break_ids, ' ') else '' end as break_ids
from pending_decisions as proposal
where proposal.case_id = :'case_id'::text;
