-- purpose: Returns the id of a break: one per class family and subject, independent of the run. For a period the subject is its
--          product and instant (detect/90_judged.sql).
create or replace function payrecon.break_hash(family text, subject_id text) returns text
language sql stable parallel safe
return payrecon.id_hash($1 || '|' || $2);
