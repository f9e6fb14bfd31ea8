-- purpose: makes the next run of a job decide everything.
-- parameters: name (text): match, detect or rules
-- grain:   at most one row
delete from match_state
where name = :'name'::text;
