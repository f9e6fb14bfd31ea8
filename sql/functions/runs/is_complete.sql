-- purpose: whether a run with this verdict looked at all it should have: its breaks, if any, are the world's; null while it runs.
create or replace function payrecon.is_complete(verdict text) returns boolean
language sql immutable parallel safe
return verdict not in ('failed', 'incomplete');
