-- purpose: Writes the acting account into the proposal and the conclusion of an undo, as stamp_decision does. An undo has the
--          action of its decision, which decides whether it takes two accounts, and follows the decision to another case.
create or replace function payrecon.stamp_undo() returns trigger
language plpgsql
as $$
begin
    if tg_op = 'UPDATE' then
        if (to_jsonb(new) - array['case_id', 'reason']) <> (to_jsonb(old) - array['case_id', 'reason']) then
            raise exception 'an undo cannot be changed' using errcode = 'insufficient_privilege';
        end if;
        if new.case_id <> old.case_id and not exists (
            select 1
            from payrecon.case_decisions as decision
            where decision.case_id = new.case_id
                and decision.decision_id = new.decision_id
        ) then
            raise exception 'an undo stays with its decision' using errcode = 'insufficient_privilege';
        end if;
        return new;
    end if;
    perform payrecon.require_duty(
        case when new.proposal_step is null or new.step = 'withdrawn' then 'work' else 'conclude' end
    );
    perform payrecon.require_clock(new.at);
    if not exists (
        select 1
        from payrecon.case_decisions as decision
        where decision.case_id = new.case_id
            and decision.decision_id = new.decision_id
            and decision.action = new.action
    ) then
        raise exception 'there is no decision "%" with action "%" in this case to undo', new.decision_id, new.action
            using errcode = 'foreign_key_violation';
    end if;
    new.account := payrecon.acting_account();
    select proposal.account
    into new.proposal_account
    from payrecon.case_undos as proposal
    where proposal.case_id = new.case_id
        and proposal.decision_id = new.decision_id
        and proposal.undo_id = new.undo_id
        and proposal.step = new.proposal_step;
    perform payrecon.require_second_account(new.proposal_account, new.account, new.step);
    return new;
end
$$;

create or replace trigger stamp before insert or update on payrecon.case_undos
for each row execute function payrecon.stamp_undo();
