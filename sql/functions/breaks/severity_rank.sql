-- purpose: Returns the rank of a severity, and the severity of a rank; null if there is none.
create or replace function payrecon.severity_rank(severity text) returns integer
language sql immutable parallel safe
return array_position(array['low', 'medium', 'high', 'critical'], severity);

create or replace function payrecon.severity_of(rank integer) returns text
language sql immutable parallel safe
return (array['low', 'medium', 'high', 'critical', 'critical'])[rank];
