-- purpose: the order of severities: how much one weighs, and the one of a weight, null where there is none such.
create or replace function payrecon.severity_rank(severity text) returns integer
language sql immutable parallel safe
return array_position(array['low', 'medium', 'high', 'critical'], severity);

create or replace function payrecon.severity_of(rank integer) returns text
language sql immutable parallel safe
return (array['low', 'medium', 'high', 'critical'])[rank];
