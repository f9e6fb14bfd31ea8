-- purpose: whether a rung below M2 told whose a subscription is, so that its tokens are to be looked at again.
-- grain:   one row
select exists (select 1 from match_charge where match_charge.chain_told_by > 'M2') as is_told;
