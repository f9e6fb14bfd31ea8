-- purpose: writes the account into what a person does: nobody says who they are, and nobody says it otherwise later.
create or replace function payrecon.stamp_account() returns trigger
language plpgsql
as $$
begin
    -- An erasure renames what a row is about, not who wrote it.
    if tg_op = 'UPDATE' and new.account = old.account then
        return new;
    end if;
    -- Whoever has a case may give it back, whatever became of their role.
    if coalesce(to_jsonb(new) ->> 'action', '') <> 'released' then
        perform payrecon.require_duty('work');
    end if;
    new.account := payrecon.acting_account();
    return new;
end
$$;

create or replace trigger stamp before insert or update on payrecon.case_events
for each row execute function payrecon.stamp_account();
create or replace trigger stamp before insert or update on payrecon.case_leases
for each row execute function payrecon.stamp_account();
create or replace trigger stamp before insert or update on payrecon.list_entries
for each row execute function payrecon.stamp_account();
create or replace trigger stamp before insert or update on payrecon.case_notes
for each row execute function payrecon.stamp_account();
create or replace trigger stamp before insert or update on payrecon.case_marks
for each row execute function payrecon.stamp_account();
create or replace trigger stamp before insert or update on payrecon.case_batches
for each row execute function payrecon.stamp_account();
