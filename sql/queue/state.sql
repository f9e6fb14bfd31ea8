-- purpose: the status of a case, the holder of its lease, and the account that made its latest proposal or decision.
-- parameters: case_id (text), as_of (timestamptz); item_ids (text[]): its breaks and signals, null if unknown
-- grain:   one row or none
select
    state.status,
    coalesce(state.status = 'waiting_approval' and state.action = 'undo', false) as is_undo,
    (
        select case_leases.person
        from case_leases
        where case_leases.case_id = state.case_id
            and case_leases.account = acting_account()
            and case_leases.lease_until > :'as_of'::timestamptz
    ) as holder,
    state.decided_account as proposer,
    proposal_id(state.case_id) as proposal_id,
    exists (
        select 1 from undecided_breaks_at(:'as_of'::timestamptz, :'item_ids'::text[], array[:'case_id'::text])
    ) as has_undecided
from cases_at(:'as_of'::timestamptz, :'item_ids'::text[], array[:'case_id'::text]) as state;
