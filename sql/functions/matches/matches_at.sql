-- purpose: Returns the matches active at a clock. The clock is a subselect, so that it is evaluated once and not for each
--          match.
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
