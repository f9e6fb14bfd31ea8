-- purpose: parked items that were neither retried nor discarded. Named items are returned even if discarded. The end of
--          a truncated file may be half a record, so it is returned only if named.
-- parameters: ids (text[]): empty for all; row_max (bigint)
-- grain:   one row per item
select parked_id, kind, file, line, header, raw, byte_count
from parked_items
where (cardinality(:'ids'::text[]) = 0 or parked_id = any(:'ids'::text[]))
    and not exists (
        select 1
        from parked_outcomes
        where parked_outcomes.parked_id = parked_items.parked_id
            and (cardinality(:'ids'::text[]) = 0 or parked_outcomes.outcome = 'retried')
    )
    and (cardinality(:'ids'::text[]) > 0 or parked_id not in (select truncated_inputs.parked_id from truncated_inputs))
order by kind, file, line, parked_id
limit :'row_max'::bigint;
