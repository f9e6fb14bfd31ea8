-- purpose: Writes the acting account into a decision, with the account of the proposal that it concludes.
create or replace function payrecon.stamp_decision() returns trigger
language plpgsql
as $$
declare
    proposed payrecon.case_decisions;
begin
    if tg_op = 'UPDATE' then
        -- An erasure changes only the case, its subject and the reason of a decision.
        if (to_jsonb(new) - array['case_id', 'subject_id', 'reason'])
            <> (to_jsonb(old) - array['case_id', 'subject_id', 'reason']) then
            raise exception 'a decision cannot be changed' using errcode = 'insufficient_privilege';
        end if;
        if (new.case_id, new.subject_id) is distinct from (old.case_id, old.subject_id) and (
            new.subject_kind <> 'user'
            or new.case_id <> payrecon.case_id_of('user', new.subject_id)
            or not exists (
                select 1
                from payrecon.erased_users
                where erased_users.user_hash = payrecon.erasure_hash(old.subject_id)
                    and erased_users.pseudonym = new.subject_id
            )
        ) then
            raise exception 'a decision moves only to the case of an erased user' using errcode = 'insufficient_privilege';
        end if;
        return new;
    end if;
    perform payrecon.require_duty(
        case when new.proposal_step is null or new.step = 'withdrawn' then 'work' else 'conclude' end
    );
    perform payrecon.require_clock(new.at);
    new.account := payrecon.acting_account();
    new.proposal_account := null;
    select proposal.*
    into proposed
    from payrecon.case_decisions as proposal
    where proposal.case_id = new.case_id
        and proposal.decision_id = new.decision_id
        and proposal.step = new.proposal_step;
    -- A conclusion copies the proposal's content, so that it concludes nothing else.
    if found then
        new.proposal_account := proposed.account;
        new.outcome := proposed.outcome;
        new.subject_kind := proposed.subject_kind;
        new.subject_id := proposed.subject_id;
        new.order_id := proposed.order_id;
        new.charge_id := proposed.charge_id;
        new.currency := proposed.currency;
        new.amount_milliunits := proposed.amount_milliunits;
    end if;
    perform payrecon.require_second_account(new.proposal_account, new.account, new.step);
    return new;
end
$$;

create or replace trigger stamp before insert or update on payrecon.case_decisions
for each row execute function payrecon.stamp_decision();
