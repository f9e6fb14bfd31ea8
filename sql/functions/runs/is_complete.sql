-- purpose: Returns whether a run with this verdict evaluated everything that it should have; null while it runs.
create or replace function payrecon.is_complete(verdict text) returns boolean
language sql immutable parallel safe
return verdict not in ('failed', 'incomplete');
