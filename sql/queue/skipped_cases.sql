-- purpose: the reason why each of some cases was not decided.
-- parameters: case_ids (text[]), as_of (timestamptz); item_ids (text[]): the breaks and signals of the cases, null if unknown
-- grain:   one row per case
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
left join cases_at(:'as_of'::timestamptz, :'item_ids'::text[], :'case_ids'::text[]) as state on state.case_id = named.case_id
left join case_leases as lease
    on lease.case_id = named.case_id
    and lease.lease_until > :'as_of'::timestamptz
order by named.case_id collate "C";
