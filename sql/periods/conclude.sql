-- purpose: signs, rejects or withdraws a proposed close or reopening; the database copies the proposal's content.
-- parameters: act_id, step, person, reason (text), at (timestamptz)
-- grain:   one row: hashes of the reports and figures; none if nothing is proposed under that id
insert into period_steps (
    act_id, step, kind, fiscal_period, close_id, as_of, tied_out_at, settings_sha256, code_version, coverage, coverage_target,
    reports_sha256, figures_sha256, person, account, proposal_step, reason, at
)
select
    proposal.act_id, :'step'::text, proposal.kind, proposal.fiscal_period, proposal.close_id, proposal.as_of, proposal.tied_out_at,
    proposal.settings_sha256, proposal.code_version, proposal.coverage, proposal.coverage_target, proposal.reports_sha256,
    proposal.figures_sha256, :'person'::text, '', proposal.step, :'reason'::text, :'at'::timestamptz
from period_steps as proposal
where proposal.act_id = :'act_id'::text
    and proposal.step = 'proposed'
returning reports_sha256, figures_sha256;
