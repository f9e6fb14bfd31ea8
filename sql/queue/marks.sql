-- purpose: what is arranged about a case, as far as whoever asks is concerned.
-- parameters: case_id (text), as_of (timestamptz)
-- grain:   one row: whether it is set aside, whose it is (null: nobody's), whether this account follows it
select
    exists (
        select 1
        from snoozed_at(:'as_of'::timestamptz) as snoozed
        where snoozed.case_id = :'case_id'::text
    ) as is_snoozed,
    (
        select marks.assignee
        from marks_at(:'as_of'::timestamptz) as marks
        where marks.case_id = :'case_id'::text
            and marks.topic = 'assignment'
    ) as assignee,
    exists (
        select 1
        from marks_at(:'as_of'::timestamptz) as marks
        where marks.case_id = :'case_id'::text
            and marks.topic = 'following'
            and marks.account = acting_account()
    ) as is_followed;
