-- purpose: the subjects of the scope that findings may have.
-- grain:   one row per subject
insert into scope_subject (subject_id)
select 'order:' || order_id as subject_id
from in_orders
union all
select 'charge:' || charges.charge_id
from in_charges as charges
inner join scope_chain on scope_chain.original_transaction_id = charges.original_transaction_id
where scope_chain.round is not null
union all
-- Periods that turned out to belong to another charge have no row any more. That charge has a line item.
select 'charge:' || aliases.stated_id
from charge_aliases_at(
    'infinity',
    array(
        select distinct charges.original_transaction_id
        from in_charges as charges
        inner join scope_chain on scope_chain.original_transaction_id = charges.original_transaction_id
        where scope_chain.round is not null
            and charges.web_order_line_item_id is not null
    )
) as aliases
union
select 'chain:Production|' || charges.bundle_id || '|' || charges.original_transaction_id
from in_charges as charges
inner join scope_chain on scope_chain.original_transaction_id = charges.original_transaction_id
where scope_chain.round is not null;
analyze scope_subject;
