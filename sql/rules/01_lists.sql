-- purpose: the list entries in force at the clock.
-- parameters: as_of (timestamptz)
-- grain:   one row per entry
insert into rule_list
select * from lists_at(:'as_of'::timestamptz);
