-- purpose: leases to a person those of some cases that have something to decide and no other assignee.
-- parameters: case_ids (text[]), person (text), as_of, lease_until (timestamptz); item_ids (text[]): the breaks and signals
--             of the cases, null if unknown
-- grain:   one row per case that the person has leased
insert into case_leases as lease (case_id, person, taken_at, lease_until)
select state.case_id, :'person'::text, :'as_of'::timestamptz, :'lease_until'::timestamptz
from cases_at(:'as_of'::timestamptz, :'item_ids'::text[], :'case_ids'::text[]) as state
where state.status in ('open', 'taken')
    -- A closed case under observation, or with a question to the customer, still has undecided items.
    or (
        state.status = 'closed'
        and state.case_id in (
            select undecided.case_id
            from undecided_breaks_at(:'as_of'::timestamptz, :'item_ids'::text[], :'case_ids'::text[]) as undecided
        )
    )
order by state.case_id collate "C"
on conflict (case_id) do update
set
    person = excluded.person,
    account = excluded.account,
    taken_at = excluded.taken_at,
    lease_until = excluded.lease_until
where lease.lease_until <= excluded.taken_at
    or (lease.account, lease.person) = (excluded.account, excluded.person)
returning case_id;
