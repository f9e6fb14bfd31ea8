-- purpose: the chains whose charges the evidence of a round decodes to.
-- parameters: round (integer)
-- grain:   one row per chain
insert into scope_chain (original_transaction_id, round)
select distinct evidence.original_transaction_id, :'round'::integer + 1
from scope_evidence
inner join judged_evidence as evidence on evidence.sha256 = scope_evidence.sha256
where scope_evidence.round = :'round'::integer
    and evidence.charge_id is not null
    and evidence.original_transaction_id is not null
on conflict do nothing;
