-- purpose: the assignee of a case, and the end of the lease.
-- parameters: case_id (text), as_of (timestamptz)
-- grain:   one row; none if the case has no assignee
select case_leases.person, case_leases.lease_until
from case_leases
where case_leases.case_id = :'case_id'::text
    and case_leases.lease_until > :'as_of'::timestamptz;
