-- purpose: Returns the id of a break: one per class family and subject, independent of the run.
create or replace function payrecon.break_hash(family text, subject_id text) returns text
language sql stable parallel safe
return left(encode(sha256(convert_to($1 || '|' || $2, 'UTF8')), 'hex'), 32);
