-- purpose: stages every subscription at a clock.
-- parameters: clock (timestamptz)
-- grain:   one row per subscription
insert into staged_subject
select * from subscriptions_at(:'clock'::timestamptz);
