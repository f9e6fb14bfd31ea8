-- purpose: Queues each case with an act for the console to gather again; runs with the rights of the list's owner.
create or replace function payrecon.tell_changed() returns trigger
language plpgsql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
begin
    insert into payrecon.console_changed (case_id, at)
    select told.case_id, min(told.at)
    from told
    group by told.case_id;
    return null;
end
$$;

create or replace trigger tell_changed after insert on payrecon.case_decisions
referencing new table as told for each statement execute function payrecon.tell_changed();
create or replace trigger tell_changed after insert on payrecon.case_undos
referencing new table as told for each statement execute function payrecon.tell_changed();
create or replace trigger tell_changed after insert on payrecon.case_marks
referencing new table as told for each statement execute function payrecon.tell_changed();
