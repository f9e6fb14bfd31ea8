-- purpose: tells a copy on another server where to go on, since a copy takes no parameters of its own, and asks its clock.
-- parameters: changed_at, row_key (text)
-- grain:   one row
select clock_timestamp() as read_at
where set_config('payrecon.pull_changed_at', :'changed_at'::text, true) is not null
    and set_config('payrecon.pull_row_key', :'row_key'::text, true) is not null;
