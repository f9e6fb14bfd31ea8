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
manifest_entry as (
    select
        case when audit_log.act = 'run_ended' then audit_log.details::json ->> 'run' else audit_log.subject end as run_id,
        manifest.value as manifest_sha256
    from audit_log
    cross join json_array_elements_text(audit_log.details::json -> 'manifests') as manifest
    where audit_log.act in ('run_ended', 'report_written')
),
-- Materialized, because nodes do not compare a distributed table with entries.
outcome as materialized (select parked_id, outcome from parked_outcomes),
other_entry as materialized (
    select audit_log.*, audit_log.details::json as stated
    from audit_log
    where audit_log.act not in ('evidence_sealed', 'evidence_judged', 'record_viewed')
),
-- Each entry with the id by which it names its act or the object of the act, and with the facts that it states.
entry as materialized (
    select
        act,
        case
            when act in ('case_proposed', 'case_effective', 'case_rejected', 'case_withdrawn') then stated ->> 'decision'
            when act in ('case_undo_proposed', 'case_undone', 'case_undo_rejected', 'case_undo_withdrawn') then stated ->> 'undo'
            when act in ('rule_proposed', 'rule_approved', 'rule_rejected', 'rule_withdrawn') then stated ->> 'change'
            when starts_with(act, 'period_') then stated ->> 'period_act'
            when act in ('functions_made', 'reference_made', 'attachment_added') then stated ->> 'sha256'
            -- An erasure replaces the case that these entries name.
            when act in ('note_added', 'case_snoozed', 'case_woken', 'case_assigned', 'case_followed', 'case_unfollowed') then rfc3339(at)
            else subject
        end as id,
        jsonb_strip_nulls(jsonb_build_object(
            'subject', subject, 'at', at, 'account', stated ->> 'account', 'verdict', stated ->> 'verdict', 'outcome', stated ->> 'outcome',
            'bundle_id', stated ->> 'bundle_id', 'environment', stated ->> 'environment', 'body_sha256', stated ->> 'body_sha256',
            'reports_sha256', stated ->> 'reports_sha256', 'figures_sha256', stated ->> 'figures_sha256'
        )) as facts
    from other_entry
    union all
    select act, parked_id, '{}' from parked_entry
    union all
    select 'manifest', run_id || ' ' || manifest_sha256, '{}' from manifest_entry
),
-- The acts of the tables. An entry must state the facts, and may omit those that older entries do not state.
recorded as (
    select
        'migration' as kind, migrations.name as subject, 'was applied, and no entry says so' as fault, array['migration_applied'] as acts,
        migrations.name as id, jsonb_build_object() as facts, jsonb_build_object() as optional_facts
    from migrations
    union all
    select part, sha256, 'were made, and no entry says so', array[part || '_made'], sha256, '{}', '{}'
    from applied_texts
    union all
    select
        'run', run_id || ' attempt ' || attempt, 'ended, and no entry says so with its verdict ' || verdict, array['run_ended'],
        run_id || '/' || attempt, jsonb_build_object('verdict', verdict), '{}'
    from runs
    where verdict is not null
    union all
    select
        'manifest', manifests.run_id || ' ' || manifests.manifest_sha256, 'was recorded, and no entry of its run names it',
        array['manifest'], manifests.run_id || ' ' || manifests.manifest_sha256, '{}', '{}'
    from report_manifests as manifests
    where (
        exists (
            select 1
            from audit_log
            where audit_log.act = 'run_ended'
                and audit_log.details::json ->> 'run' = manifests.run_id
        )
        -- A report can be written outside any run.
        or not exists (select 1 from runs where runs.run_id = manifests.run_id)
    )
    -- A running or killed attempt has written its manifest without having ended.
    and not exists (select 1 from runs where runs.run_id = manifests.run_id and runs.verdict is null)
    union all
    select
        'decision', case_id || ' ' || decision_id, 'was ' || step || ', and no entry says so', array['case_' || step], decision_id,
        '{}', '{}'
    from case_decisions
    union all
    select
        'undo', case_id || ' ' || decision_id, 'was ' || step || ', and no entry says so',
        array[case step when 'effective' then 'case_undone' else 'case_undo_' || step end], undo_id, '{}', '{}'
    from case_undos
    union all
    select
        'note', case_id || ' ' || note_id, 'was added, and no entry says so', array['note_added'], rfc3339(at), '{}',
        jsonb_build_object('account', account)
    from case_notes
    union all
    select
        'mark', case_id || ' ' || number, 'was set, and no entry says so',
        case topic
            when 'snooze' then array['case_snoozed', 'case_woken']
            when 'assignment' then array['case_assigned']
            else array['case_followed', 'case_unfollowed']
        end,
        rfc3339(at), '{}', jsonb_build_object('account', account)
    from case_marks
    union all
    select
        'attachment', case_id || ' ' || sha256, 'was added, and no entry says so', array['attachment_added'], sha256,
        jsonb_build_object('at', at), '{}'
    from case_attachments
    union all
    select 'list', entry_id, 'was added, and no entry says so', array['list_added'], entry_id, '{}', '{}'
    from list_entries
    union all
    select 'list', entry_id, 'was removed, and no entry says so', array['list_removed'], entry_id, '{}', '{}'
    from list_removals
    union all
    select 'dead letter', parked_id, 'was ' || outcome || ', and no entry says so', array['parked_' || outcome], parked_id, '{}', '{}'
    from outcome
    union all
    select
        'consumption request', transaction_id, 'was answered as ' || outcome || ', and no entry says so', array['consumption_answered'],
        transaction_id, jsonb_build_object('outcome', outcome), jsonb_build_object('bundle_id', bundle_id)
    from consumption_answers
    union all
    select
        'consumption request', transaction_id, 'ended as ' || outcome || ', and no entry says so', array['consumption_ended'],
        transaction_id, jsonb_build_object('outcome', outcome, 'bundle_id', bundle_id, 'environment', environment), '{}'
    from consumption_outcomes
    union all
    select
        'consumption request', intents.transaction_id, 'was answered with another text than its entry says', array['consumption_ended'],
        intents.transaction_id, jsonb_build_object('body_sha256', intents.body_sha256), '{}'
    from consumption_intents as intents
    inner join consumption_outcomes as outcomes using (transaction_id, bundle_id, environment, requested_at)
    where outcomes.outcome = 'sent'
    union all
    select 'rule change', change_id, 'was ' || step || ', and no entry says so', array['rule_' || step], change_id, '{}', '{}'
    from rule_changes
    union all
    select
        'period', fiscal_period || ' ' || act_id, 'was ' || step || ' (' || kind || '), and no entry says so',
        array[period_act(kind, step)], act_id,
        jsonb_build_object('subject', fiscal_period, 'reports_sha256', reports_sha256, 'figures_sha256', figures_sha256), '{}'
    from period_steps
    union all
    select 'erasure', pseudonym, 'was made, and no entry says so', array['person_erased'], pseudonym, '{}', '{}'
    from erased_users
),
changed_close as (
    select
        fiscal_period || ' ' || act_id as subject, period_reports_hash(act_id) <> reports_sha256 as has_other_reports,
        period_figures_hash(act_id) <> figures_sha256 as has_other_figures
    from period_steps
    where kind = 'close'
        and step = 'proposed'
)
select recorded.kind, recorded.subject, recorded.fault
from recorded
where not exists (
    select 1
    from entry
    where entry.id = recorded.id
        and entry.act = any(recorded.acts)
        and entry.facts @> recorded.facts
        and recorded.optional_facts || entry.facts @> recorded.optional_facts
)
union all
select 'run', other_entry.subject, 'ended by its entry, and the run ledger does not know it'
from other_entry
where other_entry.act = 'run_ended'
    and not exists (
        select 1 from runs where runs.run_id || '/' || runs.attempt = other_entry.subject and runs.verdict is not null
    )
union all
select 'manifest', manifest_entry.run_id || ' ' || manifest_entry.manifest_sha256,
    'stands in an entry of its run, and the ledger no longer knows it'
from manifest_entry
where not exists (
    select 1
    from report_manifests as manifests
    where manifests.run_id = manifest_entry.run_id
        and manifests.manifest_sha256 = manifest_entry.manifest_sha256
)
union all
select 'batch', batch.batch_id, 'contains decision ' || batch.decision_id || ', which nobody made'
from case_batches as batch
where not exists (
    select 1
    from case_decisions as made
    where made.case_id = batch.case_id
        and made.decision_id = batch.decision_id
        and made.at = batch.at
)
union all
-- The entries confirm the hashes of the step, and these the rows.
select 'period', subject, 'was signed with other reports than its rows state now' from changed_close where has_other_reports
union all
select 'period', subject, 'was signed with other figures than its rows state now' from changed_close where has_other_figures
union all
select 'entry', contradicted.number::text, 'says "' || contradicted.act || '" of ' || contradicted.subject || ': ' || contradicted.fault
from (
    select number, act, subject, audit_fault(at, login, act, subject, details) as fault
    from other_entry
) as contradicted
where contradicted.fault is not null
union all
select 'entry', number::text, 'says "' || act || '" of ' || parked_id || ': no row of its table confirms it'
from parked_entry
where is_id
    and not exists (
        select 1 from outcome where outcome.parked_id = parked_entry.parked_id and 'parked_' || outcome.outcome = parked_entry.act
    )
order by kind, subject, fault;
