-- purpose: when somebody last did anything about some cases, at whatever clock.
-- parameters: case_ids (text[])
-- grain:   one row: null where nobody did
select max(done.at) as at
from (
    select case_decisions.at from case_decisions where case_decisions.case_id = any(:'case_ids'::text[] collate "C")
    union all
    select case_undos.at from case_undos where case_undos.case_id = any(:'case_ids'::text[] collate "C")
    union all
    select case_events.at from case_events where case_events.case_id = any(:'case_ids'::text[] collate "C")
    union all
    select case_marks.at from case_marks where case_marks.case_id = any(:'case_ids'::text[] collate "C")
) as done;
