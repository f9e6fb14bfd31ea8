-- purpose: Queues each case with an act for the console to gather again; runs with the rights of the list's owner.
create or replace function payrecon.queue_changed_cases() returns trigger
language plpgsql volatile security definer
set search_path = payrecon, pg_catalog, pg_temp
as $$
begin
    insert into payrecon.console_changed (case_id, at)
    select changed_rows.case_id, min(changed_rows.at)
    from changed_rows
    group by changed_rows.case_id;
    return null;
end
$$;

create or replace trigger queue_changed_cases after insert on payrecon.case_decisions
referencing new table as changed_rows for each statement execute function payrecon.queue_changed_cases();
create or replace trigger queue_changed_cases after insert on payrecon.case_undos
referencing new table as changed_rows for each statement execute function payrecon.queue_changed_cases();
create or replace trigger queue_changed_cases after insert on payrecon.case_marks
referencing new table as changed_rows for each statement execute function payrecon.queue_changed_cases();
