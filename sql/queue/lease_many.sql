-- purpose: gives a person those of some cases that wait and that nobody else has.
-- parameters: case_ids (text[]), person, account (text), as_of, lease_until (timestamptz)
-- grain:   one row per case that the person has now
insert into case_leases as held (case_id, person, account, taken_at, lease_until)
select state.case_id, :'person'::text, :'account'::text, :'as_of'::timestamptz, :'lease_until'::timestamptz
from cases_at(:'as_of'::timestamptz) as state
where state.case_id = any(:'case_ids'::text[])
    and state.status in ('open', 'taken')
order by state.case_id collate "C"
on conflict (case_id) do update
set
    person = excluded.person,
    account = excluded.account,
    taken_at = excluded.taken_at,
    lease_until = excluded.lease_until
where held.lease_until <= excluded.taken_at
    or held.person = excluded.person
returning case_id;
