-- purpose: says that cases are gathered from here on, before they are for the first time.
-- parameters: as_of (timestamptz)
-- grain:   one row; none where it was said before
insert into console_gathered (id, detected, as_of, gathered_at)
values (1, '', :'as_of'::timestamptz, clock_timestamp())
on conflict do nothing;
