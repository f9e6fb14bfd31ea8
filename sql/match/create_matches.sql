-- purpose: creates the new matches; unchanged ones are left alone. A primary key rejects a second match of a charge.
-- parameters: run_id (text), as_of (timestamptz)
-- grain:   one row per match
insert into payrecon.matches (original_transaction_id, charge_id, order_id, rung, run_id, confidence, valid_from)
select
    match_decided.original_transaction_id, match_decided.charge_id, match_decided.order_id, match_decided.rung,
    :'run_id'::text, rungs.confidence, :'as_of'::timestamptz
from match_decided
left join rungs on rungs.rung = match_decided.rung
where not exists (
        select 1
        from in_matches
        where in_matches.charge_id = match_decided.charge_id
            and in_matches.order_id = match_decided.order_id
            and in_matches.rung = match_decided.rung
    )
order by match_decided.original_transaction_id, match_decided.charge_id;
