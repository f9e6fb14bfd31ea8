-- purpose: Returns the id of a signal: one per rule and subject, independent of the run.
create or replace function payrecon.signal_hash(rule text, subject_kind text, subject_id text) returns text
language sql stable parallel safe
return payrecon.id_hash($1 || '|' || $2 || '|' || $3);
