-- purpose: Returns the candidates in force at a clock.
create or replace function payrecon.ambiguous_candidates_at(
    clock timestamptz
) returns setof payrecon.ambiguous_candidates
language sql stable parallel safe
as $$
    select ambiguous_candidates.*
    from payrecon.ambiguous_candidates
    where valid_from <= clock
    union all
    select original_transaction_id, charge_id, order_id, tie, delay_seconds, rank, valid_from
    from payrecon.ended_ambiguous_candidates
    where valid_from <= clock
        and valid_to > clock
$$;
