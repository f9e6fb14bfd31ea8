-- purpose: the proposed close or reopening of a period that nobody concluded.
-- parameters: period (text)
-- grain:   at most one row
select
    proposal.act_id, proposal.kind, proposal.fiscal_period, rfc3339(proposal.as_of) as as_of, proposal.settings_sha256,
    proposal.code_version, proposal.account, rfc3339(proposal.at) as proposed_at
from period_steps as proposal
where proposal.fiscal_period = :'period'::text
    and proposal.step = 'proposed'
    and not exists (
        select 1 from period_steps as later where later.act_id = proposal.act_id and later.step <> 'proposed'
    );
