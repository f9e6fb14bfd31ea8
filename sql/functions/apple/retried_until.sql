-- purpose: until when Apple tries to charge a renewal whose period ended at an instant.
create or replace function payrecon.retried_until(expires_at timestamptz) returns timestamptz
language sql stable parallel safe
return expires_at + interval '60 days';
