-- purpose: Returns the contradiction between an audit entry and the table that its act changed; null if the table confirms
--          it, and for acts without a row. Case ids are not compared, because an erasure replaces them.
create or replace function payrecon.audit_fault(
    at timestamptz, login text, act text, subject text, details text
) returns text
language plpgsql stable parallel safe
as $$
declare
    stated json := $5::json;
    -- Entries older than accounts name none; any account then fits.
    stated_account text := stated ->> 'account';
begin
    -- Deletion jobs act for the system's user, which no login has.
    if stated_account <> $2 and $3 not in ('rows_removed', 'person_erased') then
        return format('it names account %s and was appended by %s', stated_account, $2);
    end if;
    case
        when $3 in ('case_proposed', 'case_effective', 'case_rejected', 'case_withdrawn') then
            perform 1
            from payrecon.case_decisions as decision
            where decision.decision_id = stated ->> 'decision'
                and 'case_' || decision.step = $3
                and decision.at = $1
                and decision.account = coalesce(stated_account, decision.account)
                and decision.action = coalesce(stated ->> 'action', decision.action)
                and decision.outcome = coalesce(stated ->> 'outcome', decision.outcome);
        when $3 in ('case_undo_proposed', 'case_undone', 'case_undo_rejected', 'case_undo_withdrawn') then
            perform 1
            from payrecon.case_undos as undo
            where undo.undo_id = stated ->> 'undo'
                and case undo.step when 'effective' then 'case_undone' else 'case_undo_' || undo.step end = $3
                and undo.at = $1
                and undo.account = coalesce(stated_account, undo.account);
        when $3 in ('case_taken', 'case_released') then
            perform 1
            from payrecon.case_events as event
            where event.at = $1
                and 'case_' || event.action = $3
                and event.account = coalesce(stated_account, event.account);
        when $3 in ('case_snoozed', 'case_woken', 'case_assigned', 'case_followed', 'case_unfollowed') then
            perform 1 from payrecon.case_marks as mark where mark.at = $1 and mark.account = coalesce(stated_account, mark.account);
        when $3 = 'note_added' then
            perform 1 from payrecon.case_notes as note where note.at = $1 and note.account = coalesce(stated_account, note.account);
        when $3 = 'attachment_added' then
            perform 1
            from payrecon.case_attachments as attachment
            where attachment.at = $1
                and attachment.sha256 = stated ->> 'sha256'
                and attachment.account = coalesce(stated_account, attachment.account);
        when $3 = 'list_added' then
            perform 1 from payrecon.list_entries as entry where entry.entry_id = $4 and entry.added_at = $1;
        when $3 = 'list_removed' then
            perform 1 from payrecon.list_removals as removal where removal.entry_id = $4 and removal.removed_at = $1;
        when $3 = 'consumption_answered' then
            perform 1
            from payrecon.consumption_answers as answer
            where answer.transaction_id = $4
                and answer.answered_at = $1
                and answer.outcome = stated ->> 'outcome';
        when $3 = 'consumption_ended' then
            perform 1
            from payrecon.consumption_outcomes as ended
            where ended.transaction_id = $4
                and ended.bundle_id = stated ->> 'bundle_id'
                and ended.environment = stated ->> 'environment'
                and ended.ended_at = $1
                and ended.outcome = stated ->> 'outcome';
        when $3 in ('rule_proposed', 'rule_approved', 'rule_rejected', 'rule_withdrawn') then
            perform 1
            from payrecon.rule_changes as change
            where change.change_id = stated ->> 'change'
                and 'rule_' || change.step = $3
                and change.at = $1
                and change.account = coalesce(stated_account, change.account);
        when $3 in (
            'period_close_proposed', 'period_closed', 'period_reopening_proposed', 'period_reopened', 'period_rejected',
            'period_withdrawn'
        ) then
            perform 1
            from payrecon.period_steps as step
            where step.act_id = stated ->> 'period_act'
                and payrecon.period_act(step.kind, step.step) = $3
                and step.fiscal_period = $4
                and step.at = $1
                and step.account = coalesce(stated_account, step.account)
                and step.reports_sha256 = stated ->> 'reports_sha256'
                and step.figures_sha256 = stated ->> 'figures_sha256';
        when $3 = 'rule_trial_asked' then
            perform 1 from payrecon.rule_trials as trial where trial.trial_id = stated ->> 'trial';
        when $3 = 'rule_tried' then
            perform 1
            from payrecon.rule_trial_ends as ended
            where ended.trial_id = stated ->> 'trial'
                and ended.outcome = stated ->> 'outcome';
        when $3 = 'report_written' then
            perform 1
            from payrecon.report_manifests
            where report_manifests.run_id = $4
                and report_manifests.manifest_sha256 = stated -> 'manifests' ->> 0;
        when $3 = 'person_erased' then
            perform 1 from payrecon.erased_users as erased where erased.pseudonym = $4;
        else
            return null;
    end case;
    return case when not found then 'no row of its table confirms it' end;
end
$$;
