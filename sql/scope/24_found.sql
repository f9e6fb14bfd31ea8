-- purpose: how much a scope holds, and whether its latest round found anything.
-- parameters: round (integer)
-- grain:   one row
select
    (select count(*) from scope_order) as order_count,
    (select count(*) from scope_chain) as chain_count,
    exists (select 1 from scope_order where scope_order.round > :'round'::integer)
    or exists (select 1 from scope_chain where scope_chain.round > :'round'::integer)
    or exists (select 1 from scope_evidence where scope_evidence.round > :'round'::integer)
    or exists (select 1 from scope_key where scope_key.round > :'round'::integer) as has_more;
