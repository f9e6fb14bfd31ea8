-- purpose: the reason why each of some cases was not decided.
-- parameters: case_ids (text[]), as_of (timestamptz); item_ids (text[]): the breaks and signals of the cases, null if
--             unknown
-- grain:   one row per case
with state as materialized (
    select cases.case_id, cases.status
    from cases_at(:'as_of'::timestamptz, :'item_ids'::text[], :'case_ids'::text[]) as cases
    where cases.case_id = any(:'case_ids'::text[])
),
lease as materialized (
    select case_leases.case_id, case_leases.person, case_leases.lease_until
    from case_leases
    where case_leases.case_id = any(:'case_ids'::text[] collate "C")
        and case_leases.lease_until > :'as_of'::timestamptz
)
select
    named.case_id,
    case
        when state.case_id is null then 'there is no such case'
        when lease.case_id is not null then lease.person || ' has it until ' || rfc3339(lease.lease_until)
        when state.status = 'waiting_approval' then 'waits for a second person'
        when state.status = 'closed' then 'decided already'
        when state.status = 'lapsed' then 'nothing of it waits'
        else 'nothing of it that is named is open and undecided'
    end as reason
from unnest(:'case_ids'::text[]) as named (case_id)
left join state on state.case_id = named.case_id
left join lease on lease.case_id = named.case_id
order by named.case_id collate "C";
