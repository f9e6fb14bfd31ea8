-- purpose: takes cases to be gathered anew off the list of those about which something was said, as far as nobody else does;
--          and those of which a decision came to its end.
-- parameters: as_of (timestamptz), rows (bigint), case_ids (text[]): of these alone, none for any
-- grain:   one row per thing said of a case: the break or signal, where a detection said it
with listed as materialized (
    select changed.number
    from console_changed as changed
    where changed.at <= :'as_of'::timestamptz
        and (cardinality(:'case_ids'::text[]) = 0 or changed.case_id = any(:'case_ids'::text[] collate "C"))
    order by changed.number
    limit :'rows'::bigint
    for update skip locked
),
taken as (
    delete from console_changed
    using listed
    where console_changed.number = listed.number
    returning console_changed.case_id, console_changed.item_id
)
select taken.case_id, taken.item_id from taken
union all
select ended.case_id, null
from (
    select kept.case_id
    from console_cases as kept
    where kept.changes_at <= :'as_of'::timestamptz
        and (cardinality(:'case_ids'::text[]) = 0 or kept.case_id = any(:'case_ids'::text[] collate "C"))
    order by kept.changes_at
    limit :'rows'::bigint
) as ended;
