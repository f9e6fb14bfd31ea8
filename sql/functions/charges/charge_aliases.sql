-- purpose: The charge of each period that was first reported without its line item.
create or replace view payrecon.charge_aliases with (security_invoker = true) as
with alias as materialized (select * from payrecon.charge_aliases_at('infinity', null))
select * from alias;
