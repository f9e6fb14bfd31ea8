-- purpose: how a case stands, and who has it by the lease itself.
-- parameters: case_id (text), as_of (timestamptz)
-- grain:   one row or none
select
    state.status,
    state.decided_by,
    coalesce(state.status = 'waiting_approval' and state.action = 'undo', false) as is_undo,
    (
        select case_leases.person
        from case_leases
        where case_leases.case_id = state.case_id
            and case_leases.lease_until > :'as_of'::timestamptz
    ) as holder
from cases_at(:'as_of'::timestamptz) as state
where state.case_id = :'case_id'::text;
