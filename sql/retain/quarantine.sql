-- purpose: deletes samples of the quarantine received before an instant; the counts stay.
-- parameters: before (timestamptz), row_max (bigint), is_dry_run (boolean): counts all and changes nothing
-- grain:   one row: table and rows
with due as (
    select source, day, sha256
    from quarantined_items
    where received_at < :'before'::timestamptz
    order by source, day, sha256
    limit case when not :'is_dry_run'::boolean then :'row_max'::bigint end
),
removed as (
    delete from quarantined_items
    using due
    where quarantined_items.source = due.source
        and quarantined_items.day = due.day
        and quarantined_items.sha256 = due.sha256
        and not :'is_dry_run'::boolean
)
select 'quarantine' as name, count(*) as row_count
from due;
