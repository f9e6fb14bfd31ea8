-- purpose: replaces the refused claims, second charges and ambiguous candidates by this run's, touching only what changed.
-- note:    a bare name reads what the run looks at; payrecon.NAME is the table that it changes.
delete from payrecon.refused_claims as standing
where standing.order_id in (
    select refused_claims.order_id
    from refused_claims
    where not exists (
        select
        from match_refused
        where (match_refused.order_id, match_refused.class, match_refused.rung)
            = (refused_claims.order_id, refused_claims.class, refused_claims.rung)
            and (match_refused.charge_id, match_refused.evidence_sha256, match_refused.counterpart)
                is not distinct from (refused_claims.charge_id, refused_claims.evidence_sha256, refused_claims.counterpart)
    )
);
insert into payrecon.refused_claims (order_id, class, rung, charge_id, evidence_sha256, counterpart, is_explicit)
select order_id, class, rung, charge_id, evidence_sha256, counterpart, is_explicit
from match_refused
on conflict do nothing;
delete from payrecon.second_charges as standing
where (standing.original_transaction_id, standing.charge_id) in (
    select second_charges.original_transaction_id, second_charges.charge_id
    from second_charges
    where not exists (
        select from match_second
        where (match_second.charge_id, match_second.order_id) = (second_charges.charge_id, second_charges.order_id)
    )
);
insert into payrecon.second_charges (original_transaction_id, charge_id, order_id)
select original_transaction_id, charge_id, order_id
from match_second
on conflict do nothing;
delete from payrecon.ambiguous_candidates as standing
where (standing.original_transaction_id, standing.charge_id, standing.order_id) in (
    select ambiguous_candidates.original_transaction_id, ambiguous_candidates.charge_id, ambiguous_candidates.order_id
    from ambiguous_candidates
    where not exists (
        select
        from match_ambiguous
        where (match_ambiguous.charge_id, match_ambiguous.order_id, match_ambiguous.rank, match_ambiguous.contributions)
            = (
                ambiguous_candidates.charge_id, ambiguous_candidates.order_id, ambiguous_candidates.rank,
                ambiguous_candidates.contributions
            )
    )
);
insert into payrecon.ambiguous_candidates (original_transaction_id, charge_id, order_id, contributions, rank)
select original_transaction_id, charge_id, order_id, contributions, rank
from match_ambiguous
on conflict do nothing;
