-- purpose: the status of a case, the holder of its lease, and whether this account made the pending proposal.
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
    -- The account that proposed.
    (
        select case_decisions.account
        from case_decisions
        where case_decisions.case_id = state.case_id
            and case_decisions.step = 'proposed'
            and not exists (
                select 1
                from case_decisions as later
                where later.case_id = case_decisions.case_id
                    and later.decision_id = case_decisions.decision_id
                    and later.step <> 'proposed'
            )
        order by case_decisions.at desc
        limit 1
    ) as proposed_account,
    (
        select case_undos.account
        from case_undos
        where case_undos.case_id = state.case_id
            and case_undos.step = 'proposed'
            and not exists (
                select 1
                from case_undos as later
                where later.case_id = case_undos.case_id
                    and later.undo_id = case_undos.undo_id
                    and later.step <> 'proposed'
            )
        order by case_undos.at desc
        limit 1
    ) as asked_account,
    exists (
        select 1
        from case_items_among(:'as_of'::timestamptz, :'item_ids'::text[]) as items
        where items.case_id = state.case_id
            and items.item_kind = 'break'
            and items.is_open
            and not items.is_decided
    ) as has_undecided
from cases_among(:'as_of'::timestamptz, :'item_ids'::text[], array[:'case_id'::text]) as state
where state.case_id = :'case_id'::text;
