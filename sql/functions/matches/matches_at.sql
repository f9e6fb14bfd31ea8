-- purpose: matches that stood at a clock. What says the clock is asked once, not for each of millions of matches.
create or replace function payrecon.matches_at(clock timestamptz) returns setof payrecon.matches
language sql stable parallel safe
as $$
    select matches.*
    from payrecon.matches
    where valid_from <= (select clock)
    union all
    select original_transaction_id, charge_id, order_id, rung, run_id, confidence, valid_from
    from payrecon.ended_matches
    where valid_from <= (select clock)
        and valid_to > (select clock)
$$;
