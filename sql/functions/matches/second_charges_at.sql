-- purpose: Returns the second charges in force at a clock.
create or replace function payrecon.second_charges_at(clock timestamptz) returns setof payrecon.second_charges
language sql stable parallel safe
as $$
    select second_charges.*
    from payrecon.second_charges
    where valid_from <= clock
    union all
    select original_transaction_id, charge_id, order_id, valid_from
    from payrecon.ended_second_charges
    where valid_from <= clock
        and valid_to > clock
$$;
