-- purpose: the case that the acting account has leased, the latest if there are several; limited to an account's inboxes.
-- parameters: as_of (timestamptz), inboxes (text[]): none for all
-- grain:   one row or none
select case_leases.case_id
from case_leases
inner join console_cases as kept on kept.case_id = case_leases.case_id
where case_leases.account = acting_account()
    and case_leases.lease_until > :'as_of'::timestamptz
    and kept.status in ('open', 'closed')
    and (cardinality(:'inboxes'::text[]) = 0 or kept.teams && :'inboxes'::text[])
order by case_leases.lease_until desc, case_leases.case_id
limit 1;
