-- purpose: closes the matches that this run does not decide again; ended_matches keeps their history.
-- parameters: run_id (text), as_of (timestamptz)
-- grain:   one row per closed match
with ended as materialized (
    select in_matches.*
    from in_matches
    where not exists (
        select 1
        from match_decided
        where match_decided.charge_id = in_matches.charge_id
            and match_decided.order_id = in_matches.order_id
            and match_decided.rung = in_matches.rung
    )
),
kept as (
    insert into payrecon.ended_matches (
        original_transaction_id, charge_id, order_id, rung, run_id, ended_run_id, confidence, valid_from, valid_to
    )
    select
        original_transaction_id, charge_id, order_id, rung, run_id, :'run_id'::text, confidence, valid_from,
        greatest(valid_from, :'as_of'::timestamptz)
    from ended
    -- A pair that ends twice at one clock has one row.
    on conflict do nothing
),
freed as (
    delete from payrecon.matched_orders
    using ended
    where ended.order_id = matched_orders.order_id
)
delete from payrecon.matches
using ended
where ended.charge_id = matches.charge_id
    and ended.original_transaction_id = matches.original_transaction_id;
