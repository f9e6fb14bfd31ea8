-- purpose: a hash of what decisions of some cases cover: their breaks as they were when they were decided, and open signals.
-- parameters: case_ids, decision_ids (text[]), as_of (timestamptz); item_ids (text[]): the breaks and signals of the cases, null
--             if unknown
-- grain:   one row per case with any
with item as (
    select decision.case_id, concat_ws('|', covered.break_id, rfc3339(covered.seen_as_of), covered.attempt) as words
    from case_decisions as decision
    cross join lateral unnest(decision.break_ids, decision.seen_as_of, decision.seen_attempts)
        as covered (break_id, seen_as_of, attempt)
    where decision.case_id = any(:'case_ids'::text[])
        and decision.decision_id = any(:'decision_ids'::text[])
        and decision.proposal_step is null
    union all
    select items.case_id, concat_ws('|', items.item_id, rfc3339(items.since_at))
    from case_items_at(:'as_of'::timestamptz, :'item_ids'::text[]) as items
    where items.case_id = any(:'case_ids'::text[])
        and items.item_kind = 'signal'
        and items.is_open
)
select item.case_id, id_hash(string_agg(item.words, chr(10) order by item.words collate "C"))
from item
group by item.case_id
order by item.case_id collate "C";
