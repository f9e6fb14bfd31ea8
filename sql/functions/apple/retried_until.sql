-- purpose: Returns the instant until which Apple tries to charge a renewal after its period's end.
create or replace function payrecon.retried_until(expires_at timestamptz) returns timestamptz
language sql stable parallel safe
return expires_at + interval '60 days';
