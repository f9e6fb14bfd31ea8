-- purpose: rule changes that await a second approval.
-- parameters: rule (text): empty for all
-- grain:   one row per change
select
    proposal.change_id, proposal.rule, proposal.version, proposal.state, proposal.parameters, proposal.trial_id,
    proposal.account, proposal.reason, rfc3339(proposal.at) as at
from rule_changes as proposal
where proposal.step = 'proposed'
    and :'rule'::text in ('', proposal.rule)
    and not exists (
        select 1
        from rule_changes as later
        where later.change_id = proposal.change_id
            and later.step <> 'proposed'
    )
order by proposal.rule, proposal.at;
