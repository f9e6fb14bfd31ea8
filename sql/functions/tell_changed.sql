-- purpose: tells the console of every case about which somebody says something, so that it looks at no others.
create or replace function payrecon.tell_changed() returns trigger
language plpgsql
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
