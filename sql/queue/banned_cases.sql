-- purpose: cases in which two people banned the subject, and nothing was added or changed since.
-- parameters: case_ids (text[]), as_of (timestamptz); item_ids (text[]): the breaks and signals of the cases, null if unknown
-- grain:   one row per case
select distinct closing.case_id
from closings_at(:'as_of'::timestamptz) as closing
where closing.case_id = any(:'case_ids'::text[])
    and closing.action = 'ban'
    and not exists (
        select 1
        from reviewed_items_at(:'as_of'::timestamptz, :'item_ids'::text[], :'case_ids'::text[]) as items
        where items.case_id = closing.case_id
            and items.is_undecided
    );
