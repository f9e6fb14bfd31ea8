-- purpose: Writes the acting account into a rule change and enforces its rules. A conclusion copies its proposal. A rule has
--          one pending change at a time. A rule goes live only after a trial of the same parameters over at least one night.
--          No change takes effect at a clock that is already decided.
create or replace function payrecon.stamp_rule_change() returns trigger
language plpgsql
as $$
declare
    proposal payrecon.rule_changes;
begin
    if tg_op = 'UPDATE' then
        -- An erasure renames a person in the reason.
        if (to_jsonb(new) - 'reason') <> (to_jsonb(old) - 'reason') then
            raise exception 'a change of a rule cannot be changed' using errcode = 'insufficient_privilege';
        end if;
        return new;
    end if;
    perform payrecon.require_duty(case when new.step in ('proposed', 'withdrawn') then 'work' else 'conclude' end);
    new.account := payrecon.acting_account();
    new.proposal_account := null;
    if new.step = 'proposed' then
        if new.trial_id is not null and not exists (
            select 1
            from payrecon.rule_trials as trial
            where trial.trial_id = new.trial_id
                and trial.rule = new.rule
                and trial.parameters = new.parameters
        ) then
            raise exception 'there is no such trial of the rule with these parameters' using errcode = 'check_violation';
        end if;
        -- Serializes proposals of all rules, so that two of one rule see each other.
        perform pg_advisory_xact_lock(1885434791);
        if exists (
            select 1
            from payrecon.rule_changes as pending
            where pending.rule = new.rule
                and pending.step = 'proposed'
                and not exists (
                    select 1
                    from payrecon.rule_changes as later
                    where later.change_id = pending.change_id
                        and later.step <> 'proposed'
                )
        ) then
            raise exception 'a change of this rule waits already' using errcode = 'unique_violation';
        end if;
        return new;
    end if;
    select proposed.*
    into proposal
    from payrecon.rule_changes as proposed
    where proposed.change_id = new.change_id
        and proposed.step = new.proposal_step;
    if not found then
        raise exception 'nothing was proposed' using errcode = 'check_violation';
    end if;
    perform payrecon.require_second_account(proposal.account, new.account, new.step);
    new := jsonb_populate_record(proposal, jsonb_build_object(
        'step', new.step, 'proposal_step', new.proposal_step, 'proposal_account', proposal.account, 'account', new.account,
        'person', new.person, 'reason', new.reason, 'at', new.at
    ));
    if new.step <> 'approved' then
        return new;
    end if;
    if new.state = 'live' and not exists (
        select 1
        from payrecon.rule_trials as trial
        inner join payrecon.rule_trial_ends as ended on ended.trial_id = trial.trial_id
        where trial.trial_id = new.trial_id
            and trial.rule = new.rule
            and trial.parameters = new.parameters
            and ended.outcome = 'finished'
            and ended.night_count > 0
    ) then
        raise exception 'these parameters of the rule were not tried to the end' using errcode = 'check_violation';
    end if;
    if exists (select 1 from payrecon.detections where detections.as_of >= new.at)
        or exists (select 1 from payrecon.runs where runs.last_batch_id is not null and runs.as_of >= new.at)
    then
        raise exception 'decisions were made at this clock or later' using errcode = 'check_violation';
    end if;
    return new;
end
$$;

create or replace trigger stamp before insert or update on payrecon.rule_changes
for each row execute function payrecon.stamp_rule_change();
create or replace trigger stamp before insert or update on payrecon.rule_trials
for each row execute function payrecon.stamp_account();
