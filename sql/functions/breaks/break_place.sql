-- purpose: where a break stands in the list of the open ones: most severe first, then oldest; to be ordered by code points.
create or replace function payrecon.break_place(severity text, opened_at timestamptz, break_id text) returns text
language sql stable parallel safe
return concat_ws(
    '|', 9 - coalesce(payrecon.severity_rank(severity), 0),
    to_char(opened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), break_id
);
