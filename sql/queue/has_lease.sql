-- purpose: whether this account has the case leased, on a server that can store what it was shown.
-- parameters: case_id (text), as_of (timestamptz)
-- grain:   one row
select not pg_is_in_recovery() and exists (
    select 1
    from case_leases
    where case_leases.case_id = :'case_id'::text
        and case_leases.account = acting_account()
        and case_leases.lease_until > :'as_of'::timestamptz
) as has_lease;
