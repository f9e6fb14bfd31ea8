-- purpose: Returns the refused claims in force at a clock.
create or replace function payrecon.refused_claims_at(clock timestamptz) returns setof payrecon.refused_claims
language sql stable parallel safe
as $$
    select refused_claims.*
    from payrecon.refused_claims
    where valid_from <= clock
    union all
    select order_id, class, rung, charge_id, evidence_sha256, counterpart, is_explicit, valid_from
    from payrecon.ended_refused_claims
    where valid_from <= clock
        and valid_to > clock
$$;
