-- purpose: stores the undecided breaks of a case as shown to its assignee.
-- parameters: case_id (text), as_of (timestamptz); item_ids (text[]): its breaks and signals, null if unknown
-- grain:   one row; none if this account does not have the case
with seen as (
    select
        coalesce(array_agg(newest.break_id order by newest.break_id collate "C"), '{}') as break_ids,
        coalesce(array_agg(newest.as_of order by newest.break_id collate "C"), '{}') as seen_as_of,
        coalesce(array_agg(newest.attempt order by newest.break_id collate "C"), '{}') as seen_attempts
    from undecided_breaks_at(:'as_of'::timestamptz, :'item_ids'::text[], array[:'case_id'::text]) as newest
)
update case_leases
set
    seen_break_ids = seen.break_ids,
    seen_as_of = seen.seen_as_of,
    seen_attempts = seen.seen_attempts
from seen
where case_leases.case_id = :'case_id'::text
    and case_leases.account = acting_account();
