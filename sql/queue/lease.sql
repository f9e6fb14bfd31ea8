-- purpose: leases a case to a person until a clock. The current assignee gets an extension if requested; others get nothing.
-- parameters: case_id, person (text), renews (boolean), as_of, lease_until (timestamptz)
-- grain:   one row; none if another person has the lease
insert into case_leases as lease (case_id, person, taken_at, lease_until)
values (
    :'case_id'::text, :'person'::text, :'as_of'::timestamptz, :'lease_until'::timestamptz
)
on conflict (case_id) do update
set
    person = excluded.person,
    account = excluded.account,
    taken_at = excluded.taken_at,
    lease_until = excluded.lease_until
where lease.lease_until <= excluded.taken_at
    or (:'renews'::boolean and (lease.account, lease.person) = (excluded.account, excluded.person));
