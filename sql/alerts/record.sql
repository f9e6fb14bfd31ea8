-- purpose: records that a channel accepted the verdict of a run.
-- parameters: channel, run_id, verdict (text)
-- grain:   one row
insert into sent_verdicts (channel, run_id, verdict)
values (:'channel'::text, :'run_id'::text, :'verdict'::text);
