-- purpose: arranges something about a case: sets it aside, gives it to somebody, follows it, or ends that.
-- parameters: case_id, topic, person, reason (text), is_set (boolean), assignee (text): null for nobody; returns_at
--             (timestamptz): null where it is not set aside; item_ids (text[]): null where they are not known; as_of
--             (timestamptz)
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
