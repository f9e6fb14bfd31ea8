-- purpose: the marks on a case, for the acting account.
-- parameters: case_id (text), as_of (timestamptz); item_ids (text[]): its breaks and signals, null if unknown
-- grain:   one row: whether it is set aside, its assignee (null: nobody), whether this account follows it
select
    exists (
        select 1
        from snoozed_at(:'as_of'::timestamptz, array[:'case_id'::text], :'item_ids'::text[]) as snoozed
    ) as is_snoozed,
    max(marks.assignee) as assignee,
    count(*) filter (where marks.topic = 'following' and marks.account = acting_account()) > 0 as is_followed
from marks_at(:'as_of'::timestamptz, array[:'case_id'::text]) as marks;
