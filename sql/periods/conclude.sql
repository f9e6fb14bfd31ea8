-- purpose: signs, rejects or withdraws a proposed close or reopening; the database copies the proposal's content.
-- parameters: act_id, step, person, reason (text), at (timestamptz)
-- grain:   one row: hashes of the reports and figures; none if nothing is proposed under that id
insert into period_steps (act_id, step, proposal_step, person, reason, at)
select proposal.act_id, :'step'::text, proposal.step, :'person'::text, :'reason'::text, :'at'::timestamptz
from period_steps as proposal
where proposal.act_id = :'act_id'::text
    and proposal.step = 'proposed'
returning reports_sha256, figures_sha256;
