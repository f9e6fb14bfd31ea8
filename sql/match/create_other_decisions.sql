-- purpose: records refused claims, second charges and ambiguous candidates that are new in this run.
-- parameters: as_of (timestamptz)
-- grain:   one row per new entry
-- note:    payrecon.NAME is the stored table, even if the run reads only a part of it.
with refused as (
    insert into payrecon.refused_claims (
        order_id, class, rung, charge_id, evidence_sha256, counterpart, is_explicit, valid_from
    )
    select
        order_id, class, rung, charge_id, evidence_sha256, counterpart, is_explicit, :'as_of'::timestamptz
    from match_refused
    on conflict do nothing
),
second as (
    insert into payrecon.second_charges (original_transaction_id, charge_id, order_id, valid_from)
    select original_transaction_id, charge_id, order_id, :'as_of'::timestamptz
    from match_second
    on conflict do nothing
)
insert into payrecon.ambiguous_candidates (
    original_transaction_id, charge_id, order_id, tie, delay_seconds, rank, valid_from
)
select original_transaction_id, charge_id, order_id, tie, delay_seconds, rank, :'as_of'::timestamptz
from match_ambiguous
on conflict do nothing;
