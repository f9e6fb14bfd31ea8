-- purpose: earlier findings about the subjects of the scope, and about evidence, notifications and inputs, which every run
--          evaluates.
-- grain:   as in each table
drop view if exists in_open_breaks, in_pending_breaks;
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
