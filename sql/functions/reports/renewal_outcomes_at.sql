-- purpose: Returns the newest outcome of every member of every plan at a clock.
create or replace function payrecon.renewal_outcomes_at(clock timestamptz) returns setof payrecon.renewal_outcomes
language sql stable parallel safe
as $$
    select distinct on (renewal_outcomes.original_transaction_id, renewal_outcomes.bundle_id, renewal_outcomes.due_day)
        renewal_outcomes.*
    from payrecon.renewal_outcomes
    where renewal_outcomes.settled_at <= clock
    order by
        renewal_outcomes.original_transaction_id, renewal_outcomes.bundle_id, renewal_outcomes.due_day,
        renewal_outcomes.settled_at desc
$$;
