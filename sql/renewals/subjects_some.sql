-- purpose: stages the subscriptions of the staged chains at a clock.
-- parameters: clock (timestamptz)
-- grain:   one row per subscription
insert into staged_subject
select *
from subscriptions_of(
    :'clock'::timestamptz, array(select distinct staged_chain.original_transaction_id from staged_chain)
);
