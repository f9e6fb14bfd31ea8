-- purpose: deletes leases that ended before an instant; the case's history keeps who took it and when.
-- parameters: before (timestamptz): latest end of the lease, row_max (bigint), is_dry_run (boolean): counts all and changes
--             nothing
-- grain:   one row: table and rows
with due as (
    select case_leases.case_id
    from case_leases
    where case_leases.lease_until < :'before'::timestamptz
    order by case_leases.case_id
    limit case when not :'is_dry_run'::boolean then :'row_max'::bigint end
),
removed as (
    delete from case_leases
    using due
    where case_leases.case_id = due.case_id
        -- Another session may renew the lease concurrently.
        and case_leases.lease_until < :'before'::timestamptz
        and not :'is_dry_run'::boolean
)
select 'case_leases' as name, count(*) as row_count
from due;
