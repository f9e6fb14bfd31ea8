-- purpose: records that a person took or released a case.
-- parameters: case_id, action, person, reason (text), as_of, lease_until (timestamptz)
-- grain:   one row
insert into case_events (case_id, action, person, reason, at, lease_until)
values (
    :'case_id'::text, :'action'::text, :'person'::text, :'reason'::text, :'as_of'::timestamptz,
    :'lease_until'::timestamptz
)
on conflict do nothing;
