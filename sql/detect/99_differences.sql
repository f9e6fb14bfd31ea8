-- purpose: differences between the recorded breaks of a scope and a re-evaluation; none if breaks are current.
-- parameters: row_max (bigint)
-- grain:   one row per difference
select subject
from (
    select class || ' of ' || subject_id || ' would be ' || case when is_open then 'open' else 'resolved' end as subject
    from detect_changed
    union all
    select 'pending ' || coalesce(judged.class, pending_breaks.class) || ' of '
        || coalesce(judged.subject_id, pending_breaks.subject_id)
    from (select * from detect_judged where is_pending) as judged
    full join in_pending_breaks as pending_breaks using (break_id, class, breaks_at)
    where judged.break_id is null
        or pending_breaks.break_id is null
) as difference
order by subject
limit :'row_max'::bigint;
