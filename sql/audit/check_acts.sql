-- purpose: acts without an entry in the audit chain, for example after the newest entries were removed; and entries
--          that no row confirms or that the run ledger contradicts.
-- grain:   one row per act, by kind and subject; none if the chain is complete
with parked_entry as (
    select audit_log.number, audit_log.act, item.value as parked_id, true as is_id
    from audit_log
    cross join json_array_elements_text(coalesce(audit_log.details::json -> 'items', '[]')) as item
    where audit_log.act in ('parked_retried', 'parked_discarded')
    union all
    select audit_log.number, audit_log.act, audit_log.subject, audit_log.details::json -> 'items' is null
    from audit_log
    where audit_log.act in ('parked_retried', 'parked_discarded')
),
contradicted as materialized (
    select
        audit_log.number, audit_log.act, audit_log.subject,
        audit_fault(audit_log.at, audit_log.login, audit_log.act, audit_log.subject, audit_log.details) as fault
    from audit_log
    where audit_log.act not in ('evidence_sealed', 'evidence_judged', 'record_viewed')
),
run_entry as (
    select audit_log.subject, audit_log.details::json ->> 'run' as run_id, audit_log.details::json ->> 'verdict' as verdict,
        audit_log.details::json -> 'manifests' as manifests
    from audit_log
    where audit_log.act = 'run_ended'
),
manifest_entry as (
    select act_row.run_id, manifest.value as manifest_sha256
    from (
        select run_entry.run_id, run_entry.manifests from run_entry
        union all
        select audit_log.subject, audit_log.details::json -> 'manifests' from audit_log where audit_log.act = 'report_written'
    ) as act_row
    cross join json_array_elements_text(act_row.manifests) as manifest
),
decision_entry as (
    select audit_log.act, audit_log.details::json ->> 'decision' as decision_id
    from audit_log
    where audit_log.act in ('case_proposed', 'case_effective', 'case_rejected', 'case_withdrawn')
),
outcome as materialized (select parked_outcomes.parked_id, parked_outcomes.outcome from parked_outcomes),
undo_entry as (
    select audit_log.act, audit_log.details::json ->> 'undo' as undo_id
    from audit_log
    where audit_log.act in ('case_undo_proposed', 'case_undone', 'case_undo_rejected', 'case_undo_withdrawn')
)
select 'migration' as kind, migrations.name as subject, 'was applied, and no entry says so' as fault
from migrations
where not exists (
    select 1 from audit_log where audit_log.act = 'migration_applied' and audit_log.subject = migrations.name
)
union all
select applied_texts.part, applied_texts.sha256, 'were made, and no entry says so'
from applied_texts
where not exists (
    select 1
    from audit_log
    where audit_log.act = applied_texts.part || '_made'
        and audit_log.details::json ->> 'sha256' = applied_texts.sha256
)
union all
select 'run', runs.run_id || ' attempt ' || runs.attempt, 'ended, and no entry says so with its verdict ' || runs.verdict
from runs
where runs.verdict is not null
    and not exists (
        select 1
        from run_entry
        where run_entry.subject = runs.run_id || '/' || runs.attempt
            and run_entry.verdict = runs.verdict
    )
union all
select 'run', run_entry.subject, 'ended by its entry, and the run ledger does not know it'
from run_entry
where not exists (
    select 1 from runs where runs.run_id || '/' || runs.attempt = run_entry.subject and runs.verdict is not null
)
union all
select 'manifest', report_manifests.run_id || ' ' || report_manifests.manifest_sha256,
    'was recorded, and no entry of its run names it'
from report_manifests
where (
    exists (select 1 from run_entry where run_entry.run_id = report_manifests.run_id)
    -- A report can be written outside any run.
    or not exists (select 1 from runs where runs.run_id = report_manifests.run_id)
)
    and not exists (
        select 1
        from manifest_entry
        where manifest_entry.run_id = report_manifests.run_id
            and manifest_entry.manifest_sha256 = report_manifests.manifest_sha256
    )
    -- A running or killed attempt has written its manifest without having ended.
    and not exists (select 1 from runs where runs.run_id = report_manifests.run_id and runs.verdict is null)
union all
select 'manifest', manifest_entry.run_id || ' ' || manifest_entry.manifest_sha256,
    'stands in an entry of its run, and the ledger no longer knows it'
from manifest_entry
where not exists (
    select 1
    from report_manifests
    where report_manifests.run_id = manifest_entry.run_id
        and report_manifests.manifest_sha256 = manifest_entry.manifest_sha256
)
union all
select 'decision', case_decisions.case_id || ' ' || case_decisions.decision_id,
    'was ' || case_decisions.step || ', and no entry says so'
from case_decisions
where not exists (
    select 1
    from decision_entry
    where decision_entry.act = 'case_' || case_decisions.step
        and decision_entry.decision_id = case_decisions.decision_id
)
union all
select 'undo', case_undos.case_id || ' ' || case_undos.decision_id,
    'was ' || case_undos.step || ', and no entry says so'
from case_undos
where not exists (
    select 1
    from undo_entry
    where undo_entry.undo_id = case_undos.undo_id
        and undo_entry.act = case case_undos.step
            when 'proposed' then 'case_undo_proposed'
            when 'effective' then 'case_undone'
            when 'withdrawn' then 'case_undo_withdrawn'
            else 'case_undo_rejected'
        end
)
union all
select 'note', case_notes.case_id || ' ' || case_notes.note_id, 'was added, and no entry says so'
from case_notes
where not exists (
    select 1
    from audit_log
    where audit_log.act = 'note_added'
        and audit_log.at = case_notes.at
        and coalesce(audit_log.details::json ->> 'account', case_notes.account) = case_notes.account
)
union all
select 'mark', case_marks.case_id || ' ' || case_marks.number, 'was set, and no entry says so'
from case_marks
where not exists (
    select 1
    from audit_log
    where audit_log.at = case_marks.at
        and audit_log.act = any(
            case case_marks.topic
                when 'snooze' then array['case_snoozed', 'case_woken']
                when 'assignment' then array['case_assigned']
                else array['case_followed', 'case_unfollowed']
            end
        )
        and coalesce(audit_log.details::json ->> 'account', case_marks.account) = case_marks.account
)
union all
select 'attachment', case_attachments.case_id || ' ' || case_attachments.sha256, 'was added, and no entry says so'
from case_attachments
where not exists (
    select 1
    from audit_log
    where audit_log.act = 'attachment_added'
        and audit_log.at = case_attachments.at
        and audit_log.details::json ->> 'sha256' = case_attachments.sha256
)
union all
select 'batch', case_batches.batch_id, 'contains decision ' || case_batches.decision_id || ', which nobody made'
from case_batches
where not exists (
    select 1
    from case_decisions
    where case_decisions.decision_id = case_batches.decision_id
        and case_decisions.case_id = case_batches.case_id
        and case_decisions.at = case_batches.at
)
union all
select 'list', list_entries.entry_id, 'was added, and no entry says so'
from list_entries
where not exists (
    select 1 from audit_log where audit_log.act = 'list_added' and audit_log.subject = list_entries.entry_id
)
union all
select 'list', list_removals.entry_id, 'was removed, and no entry says so'
from list_removals
where not exists (
    select 1 from audit_log where audit_log.act = 'list_removed' and audit_log.subject = list_removals.entry_id
)
union all
select 'dead letter', outcome.parked_id, 'was ' || outcome.outcome || ', and no entry says so'
from outcome
where not exists (
    select 1
    from parked_entry
    where parked_entry.act = 'parked_' || outcome.outcome
        and parked_entry.parked_id = outcome.parked_id
)
union all
select 'consumption request', consumption_answers.transaction_id,
    'was answered as ' || consumption_answers.outcome || ', and no entry says so'
from consumption_answers
where not exists (
    select 1
    from audit_log
    where audit_log.act = 'consumption_answered'
        and audit_log.subject = consumption_answers.transaction_id
        and coalesce(audit_log.details::json ->> 'bundle_id', consumption_answers.bundle_id) = consumption_answers.bundle_id
        and audit_log.details::json ->> 'outcome' = consumption_answers.outcome
)
union all
select 'consumption request', consumption_outcomes.transaction_id,
    'ended as ' || consumption_outcomes.outcome || ', and no entry says so'
from consumption_outcomes
where not exists (
    select 1
    from audit_log
    where audit_log.act = 'consumption_ended'
        and audit_log.subject = consumption_outcomes.transaction_id
        and audit_log.details::json ->> 'bundle_id' = consumption_outcomes.bundle_id
        and audit_log.details::json ->> 'environment' = consumption_outcomes.environment
        and audit_log.details::json ->> 'outcome' = consumption_outcomes.outcome
)
union all
select 'consumption request', consumption_intents.transaction_id, 'was answered with another text than its entry says'
from consumption_intents
inner join consumption_outcomes
    on consumption_outcomes.transaction_id = consumption_intents.transaction_id
    and consumption_outcomes.bundle_id = consumption_intents.bundle_id
    and consumption_outcomes.environment = consumption_intents.environment
    and consumption_outcomes.requested_at = consumption_intents.requested_at
where consumption_outcomes.outcome = 'sent'
    and not exists (
        select 1
        from audit_log
        where audit_log.act = 'consumption_ended'
            and audit_log.subject = consumption_intents.transaction_id
            and audit_log.details::json ->> 'body_sha256' = consumption_intents.body_sha256
    )
union all
select 'rule change', rule_changes.change_id, 'was ' || rule_changes.step || ', and no entry says so'
from rule_changes
where not exists (
    select 1
    from audit_log
    where audit_log.act = 'rule_' || rule_changes.step
        and audit_log.details::json ->> 'change' = rule_changes.change_id
)
union all
select 'period', period_steps.fiscal_period || ' ' || period_steps.act_id,
    'was ' || period_steps.step || ' (' || period_steps.kind || '), and no entry says so'
from period_steps
where not exists (
    select 1
    from audit_log
    where audit_log.act = period_act(period_steps.kind, period_steps.step)
        and audit_log.subject = period_steps.fiscal_period
        and audit_log.details::json ->> 'period_act' = period_steps.act_id
        and audit_log.details::json ->> 'reports_sha256' = period_steps.reports_sha256
        and audit_log.details::json ->> 'figures_sha256' = period_steps.figures_sha256
)
union all
-- The entries confirm the hashes of the step, and these the rows.
select 'period', period_steps.fiscal_period || ' ' || period_steps.act_id, changed.fault
from period_steps
cross join lateral (values
    (
        period_reports_hash(period_steps.act_id) <> period_steps.reports_sha256,
        'was signed with other reports than its rows state now'
    ),
    (
        period_figures_hash(period_steps.act_id) <> period_steps.figures_sha256,
        'was signed with other figures than its rows state now'
    )
) as changed (is_changed, fault)
where changed.is_changed
    and period_steps.kind = 'close'
    and period_steps.step = 'proposed'
union all
select 'erasure', erased_users.pseudonym, 'was made, and no entry says so'
from erased_users
where not exists (
    select 1 from audit_log where audit_log.act = 'person_erased' and audit_log.subject = erased_users.pseudonym
)
union all
select 'entry', contradicted.number::text, 'says "' || contradicted.act || '" of ' || contradicted.subject || ': ' || contradicted.fault
from contradicted
where contradicted.fault is not null
union all
select 'entry', entry.number::text, 'says "' || entry.act || '" of ' || entry.parked_id || ': no row of its table confirms it'
from parked_entry as entry
where entry.is_id
    and not exists (
        select 1 from outcome where outcome.parked_id = entry.parked_id and 'parked_' || outcome.outcome = entry.act
    )
order by kind, subject, fault;
