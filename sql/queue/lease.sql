-- purpose: gives a case to one person until a clock; who has it already gets longer, where that is wanted, anybody else gets
--          nothing.
-- parameters: case_id, person (text), renews (boolean), as_of, lease_until (timestamptz)
-- grain:   one row, or none when somebody else has it
insert into case_leases as held (case_id, person, taken_at, lease_until)
values (
    :'case_id'::text, :'person'::text, :'as_of'::timestamptz, :'lease_until'::timestamptz
)
on conflict (case_id) do update
set
    person = excluded.person,
    account = excluded.account,
    taken_at = excluded.taken_at,
    lease_until = excluded.lease_until
where held.lease_until <= excluded.taken_at
    or (:'renews'::boolean and (held.account, held.person) = (excluded.account, excluded.person));
