-- purpose: Returns the marks on cases at a clock: the newest of each topic, for follows per account. null selects all cases.
create or replace function payrecon.marks_at(clock timestamptz, case_ids text[] default null) returns setof payrecon.case_marks
language sql stable parallel safe
as $$
    select newest.*
    from (
        select distinct on (
                case_marks.case_id, case_marks.topic,
                case when case_marks.topic = 'following' then case_marks.account end
            )
            case_marks.*
        from payrecon.case_marks
        where case_marks.at <= clock
            and (marks_at.case_ids is null or case_marks.case_id = any(marks_at.case_ids collate "C"))
        order by case_marks.case_id, case_marks.topic,
            case when case_marks.topic = 'following' then case_marks.account end, case_marks.number desc
    ) as newest
    where newest.is_set
$$;

-- Returns the cases that are set aside at a clock, and when each returns; a new item returns a case early. null selects all
-- cases, breaks and signals.
create or replace function payrecon.snoozed_at(clock timestamptz, case_ids text[] default null, item_ids text[] default null)
returns table (case_id text, returns_at timestamptz)
language sql stable parallel safe
as $$
    select marks.case_id, marks.returns_at
    from payrecon.marks_at(clock, snoozed_at.case_ids) as marks
    where marks.topic = 'snooze'
        and marks.returns_at > clock
        and not exists (
            select 1
            from payrecon.case_items_at(clock, snoozed_at.item_ids) as items
            where items.case_id = marks.case_id
                and items.is_open
                and items.item_id <> all(marks.item_ids)
        )
$$;
