-- purpose: Returns the gathered cases with the texts that lists and cards show. shown_status distinguishes a proposed undo
--          from a proposed decision and ignores leases. The outcome of a case of the fraud team begins with outcome_prefix.
-- grain:   one row per gathered case
create or replace view payrecon.case_summaries with (security_invoker = true) as
select
    kept.*,
    case when kept.proposed_action = 'undo' then 'undo_proposed' else kept.status end as shown_status,
    coalesce(payrecon.severity_of(kept.rank), '') as severity,
    array_to_string(kept.names, ' ') as about,
    payrecon.phrase(
        'case.subject', jsonb_build_object('kind', payrecon.phrase('word.' || kept.subject_kind), 'id', kept.subject_id)
    ) as subject,
    payrecon.money_text(kept.amount_milliunits, kept.currency) as at_stake,
    case when 'fraud' = any(kept.teams) then 'fraud_' else '' end as outcome_prefix
from payrecon.console_cases as kept;
