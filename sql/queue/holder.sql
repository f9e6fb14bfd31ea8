-- purpose: who has a case, and until when.
-- parameters: case_id (text), as_of (timestamptz)
-- grain:   one row, or none when nobody has it
select case_leases.person, case_leases.lease_until
from case_leases
where case_leases.case_id = :'case_id'::text
    and case_leases.lease_until > :'as_of'::timestamptz;
