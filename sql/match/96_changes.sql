-- purpose: what this run changes: matches that end and matches that begin; what stays is not touched.
-- grain:   one row per ended or begun match
create temp table match_change on commit drop as
select
    'ended' as change, matches.order_id, matches.charge_id, matches.original_transaction_id, matches.rung,
    matches.confidence
from matches
where not exists (
    select
    from match_decided
    where match_decided.charge_id = matches.charge_id
        and match_decided.order_id = matches.order_id
        and match_decided.rung = matches.rung
)
union all
select
    'begun', match_decided.order_id, match_decided.charge_id, match_decided.original_transaction_id,
    match_decided.rung, match_decided.confidence
from match_decided
where not exists (
    select
    from matches
    where matches.charge_id = match_decided.charge_id
        and matches.order_id = match_decided.order_id
        and matches.rung = match_decided.rung
);
