-- purpose: the age bucket of a break that opened at an instant.
create or replace function payrecon.age_bucket(as_of timestamptz, opened_at timestamptz) returns text
language sql immutable parallel safe
return case
    when as_of - opened_at < interval '2 days' then '0-1'
    when as_of - opened_at < interval '8 days' then '2-7'
    when as_of - opened_at < interval '31 days' then '8-30'
    when as_of - opened_at < interval '61 days' then '31-60'
    else '>60'
end;
