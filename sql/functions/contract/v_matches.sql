-- purpose: matches for other programs: the columns of the export, as values. At a clock, and now.
create or replace function payrecon.v_matches_at(clock timestamptz) returns table (
    order_id text, charge_id text, rung text, confidence text, transaction_id text, original_transaction_id text,
    web_order_line_item_id text, bundle_id text, environment text, product_id text, user_id text,
    decided_at timestamptz, run_id text
)
language sql stable parallel safe
as $$
    select
        active_match.order_id, active_match.charge_id, active_match.rung, active_match.confidence,
        case
            when orders.transaction_id = any(charges.transaction_ids) then orders.transaction_id
            else charges.transaction_ids[1]
        end,
        active_match.original_transaction_id, charges.web_order_line_item_id, charges.bundle_id, charges.environment,
        charges.product_id, orders.user_id, active_match.valid_from, active_match.run_id
    from payrecon.matches_at(clock) as active_match
    inner join payrecon.charges_at(clock) as charges using (original_transaction_id, charge_id)
    inner join payrecon.orders_at(clock) as orders on orders.order_id = active_match.order_id
$$;

create or replace view payrecon.v_matches with (security_invoker = true) as
select * from payrecon.v_matches_at('infinity');
