-- purpose: Returns the id of a break: one per class family and subject, independent of the run.
create or replace function payrecon.break_hash(family text, subject_id text) returns text
language sql stable parallel safe
return payrecon.id_hash($1 || '|' || $2);
