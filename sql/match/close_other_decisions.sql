-- purpose: closes refused claims, second charges and ambiguous candidates that this run no longer finds, and keeps their
--          periods.
-- parameters: as_of (timestamptz)
-- grain:   one row per closed entry
-- note:    a bare name is the part that the run reads; payrecon.NAME is the stored table.
with refused as (
    delete from payrecon.refused_claims as current
    where current.order_id in (
        select refused_claims.order_id
        from in_refused_claims as refused_claims
        where not exists (
            select 1
            from match_refused
            where (match_refused.order_id, match_refused.class, match_refused.rung)
                = (refused_claims.order_id, refused_claims.class, refused_claims.rung)
                and (match_refused.charge_id, match_refused.evidence_sha256, match_refused.counterpart)
                    is not distinct from
                    (refused_claims.charge_id, refused_claims.evidence_sha256, refused_claims.counterpart)
        )
    )
    returning current.*
),
second as (
    delete from payrecon.second_charges as current
    where (current.original_transaction_id, current.charge_id) in (
        select second_charges.original_transaction_id, second_charges.charge_id
        from in_second_charges as second_charges
        where not exists (
            select 1 from match_second
            where (match_second.charge_id, match_second.order_id) = (second_charges.charge_id, second_charges.order_id)
        )
    )
    returning current.*
),
ambiguous as (
    delete from payrecon.ambiguous_candidates as current
    where (current.original_transaction_id, current.charge_id, current.order_id) in (
        select
            ambiguous_candidates.original_transaction_id, ambiguous_candidates.charge_id, ambiguous_candidates.order_id
        from in_ambiguous_candidates as ambiguous_candidates
        where not exists (
            select 1
            from match_ambiguous
            where (
                match_ambiguous.charge_id, match_ambiguous.order_id, match_ambiguous.rank, match_ambiguous.tie,
                match_ambiguous.delay_seconds
            ) = (
                ambiguous_candidates.charge_id, ambiguous_candidates.order_id, ambiguous_candidates.rank,
                ambiguous_candidates.tie, ambiguous_candidates.delay_seconds
            )
        )
    )
    returning current.*
),
kept_refused as (
    insert into payrecon.ended_refused_claims (
        order_id, class, rung, charge_id, evidence_sha256, counterpart, is_explicit, valid_from, valid_to
    )
    select
        order_id, class, rung, charge_id, evidence_sha256, counterpart, is_explicit, valid_from,
        greatest(valid_from, :'as_of'::timestamptz)
    from refused
    on conflict do nothing
),
kept_second as (
    insert into payrecon.ended_second_charges (original_transaction_id, charge_id, order_id, valid_from, valid_to)
    select
        original_transaction_id, charge_id, order_id, valid_from, greatest(valid_from, :'as_of'::timestamptz)
    from second
    on conflict do nothing
)
insert into payrecon.ended_ambiguous_candidates (
    original_transaction_id, charge_id, order_id, tie, delay_seconds, rank, valid_from, valid_to
)
select
    original_transaction_id, charge_id, order_id, tie, delay_seconds, rank, valid_from,
    greatest(valid_from, :'as_of'::timestamptz)
from ambiguous
on conflict do nothing;
