-- purpose: number of cases in each list of the navigation, limited to an account's inboxes. A count stops at a limit.
-- parameters: account (text), inboxes (text[]): none for all; as_of (timestamptz), decisions (bigint): how many of the newest
--             decisions are read; most (bigint): largest count
-- grain:   one row
select counted.mine, counted.approvals, counted.watching, counted.overdue, counted.following
from console_counts(
    :'account'::text, :'inboxes'::text[], :'as_of'::timestamptz, :'decisions'::bigint, :'most'::bigint
) as counted;
