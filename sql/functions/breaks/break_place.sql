-- purpose: Returns the sort key of a break in the list of open breaks: most severe first, then oldest; ordered by code points.
create or replace function payrecon.break_place(severity text, opened_at timestamptz, break_id text) returns text
language sql stable parallel safe
return concat_ws(
    '|', 9 - coalesce(payrecon.severity_rank(severity), 0),
    to_char(opened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), break_id
);
