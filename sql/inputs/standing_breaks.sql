-- purpose: earlier findings about the subjects of the scope, and about evidence, notifications and inputs, which every run
--          evaluates.
-- grain:   as in each table
create temp table scope_subject on commit drop as
select 'order:' || order_id as subject_id
from in_orders
union all
select 'charge:' || charges.charge_id
from in_charges as charges
inner join scope_chain on scope_chain.original_transaction_id = charges.original_transaction_id
where scope_chain.round is not null
union all
-- Periods that turned out to belong to another charge have no row any more.
select 'charge:' || aliases.stated_id
from charge_aliases_at(
    'infinity', array(select scope_chain.original_transaction_id from scope_chain where scope_chain.round is not null)
) as aliases
union
select 'chain:Production|' || charges.bundle_id || '|' || charges.original_transaction_id
from in_charges as charges
inner join scope_chain on scope_chain.original_transaction_id = charges.original_transaction_id
where scope_chain.round is not null;
analyze scope_subject;
create temp table in_open_breaks on commit drop as
select open_breaks.*
from scope_subject
inner join open_breaks on open_breaks.subject_id = scope_subject.subject_id
union all
select open_breaks.*
from open_breaks
where open_breaks.subject_id between 'evidence:' and 'evidence;'
    or open_breaks.subject_id between 'notification:' and 'notification;'
    or open_breaks.subject_id between 'input:' and 'input;'
    or open_breaks.subject_id between 'quarantine:' and 'quarantine;'
    or open_breaks.subject_id between 'value:' and 'value;';
create temp table in_pending_breaks on commit drop as
select pending_breaks.*
from scope_subject
inner join pending_breaks on pending_breaks.subject_id = scope_subject.subject_id
union all
select pending_breaks.*
from pending_breaks
where pending_breaks.subject_id between 'evidence:' and 'evidence;'
    or pending_breaks.subject_id between 'notification:' and 'notification;'
    or pending_breaks.subject_id between 'input:' and 'input;'
    or pending_breaks.subject_id between 'quarantine:' and 'quarantine;'
    or pending_breaks.subject_id between 'value:' and 'value;';
analyze in_open_breaks, in_pending_breaks;
