-- purpose: Returns the sort key of a case in the queue: deadlines of Apple's first, then proposals that await a second
--          approval, then most severe, due, oldest; ordered by code points. It ends with the case id.
create or replace function payrecon.case_place(
    status text, rank integer, due_at timestamptz, opened_at timestamptz, case_id text
) returns text
language sql stable parallel safe
return concat_ws(
    '|', case when status = 'waiting_approval' or rank = 5 then '0' else '1' end, 9 - rank,
    coalesce(to_char(due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '9'),
    to_char(opened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), case_id
);
