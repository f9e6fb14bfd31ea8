-- purpose: forgets what was said of cases while nobody ever looked at them in the console: they are gathered all together then.
-- parameters: none
-- grain:   one row per thing said
delete from console_changed
where not exists (select 1 from console_gathered);
