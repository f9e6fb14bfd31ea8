-- purpose: starts gathering events, unless another process just did; earlier cases and acts produce none.
-- parameters: through (bigint)
-- grain:   one row per open case
with reading as (insert into webhook_reading (audit_number) values (:'through'::bigint) on conflict do nothing)
insert into webhook_cases (case_id)
select open.case_id from open_cases() as open
on conflict do nothing;
