-- purpose: passes the starting position of a copy to another server by settings, since COPY takes no parameters, and reads
--          its clock.
-- parameters: changed_at, row_key (text)
-- grain:   one row
select clock_timestamp() as read_at
where set_config('payrecon.pull_changed_at', :'changed_at'::text, true) is not null
    and set_config('payrecon.pull_row_key', :'row_key'::text, true) is not null;
