-- purpose: events are gathered from now on: what was open and done before is no news.
-- parameters: through (bigint)
-- grain:   one row per case that is open
with begun as (
    insert into webhook_reading (audit_number) values (:'through'::bigint)
)
insert into webhook_cases (case_id)
select open.case_id from open_cases() as open;
