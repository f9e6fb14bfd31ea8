-- purpose: cases under watch, limited to an account's inboxes.
-- parameters: inboxes (text[]): none for all; as_of (timestamptz), decisions (bigint): how many of the newest decisions
--             are read; rows (bigint)
-- grain:   one row per case, newest decision first
select
    kept.case_id, kept.severity, kept.about, kept.subject, kept.at_stake, watched.action, watched.reason as said, rfc3339(watched.at) as at
from watched_cases(:'as_of'::timestamptz, :'inboxes'::text[], :'decisions'::bigint, :'rows'::bigint) as watched
inner join case_summaries as kept on kept.case_id = watched.case_id
order by watched.at desc, kept.case_id;
