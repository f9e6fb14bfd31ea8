-- purpose: sets or ends a mark on a case: set aside, assigned to an account, or followed.
-- parameters: case_id, topic, person, reason (text), is_set (boolean), assignee (text): null for nobody; returns_at
--             (timestamptz): null unless set aside; item_ids (text[]): null if unknown; as_of (timestamptz)
-- grain:   one row
insert into case_marks (case_id, topic, is_set, assignee, returns_at, item_ids, person, reason, at)
select
    :'case_id'::text, :'topic'::text, :'is_set'::boolean, :'assignee'::text, :'returns_at'::timestamptz,
    coalesce(
        :'item_ids'::text[],
        (
            select array_agg(items.item_id order by items.item_id collate "C")
            from case_items_at(:'as_of'::timestamptz) as items
            where items.case_id = :'case_id'::text
        ),
        '{}'
    ),
    :'person'::text, :'reason'::text, :'as_of'::timestamptz;
