-- purpose: cases about which somebody said something since they were gathered, or of which a decision came to its end.
-- parameters: as_of (timestamptz), rows (bigint)
-- grain:   one row per case
with said as (
    select told.case_id, count(*) as said_count
    from (
        select case_decisions.case_id from case_decisions
        union all
        select case_undos.case_id from case_undos
        union all
        select case_marks.case_id from case_marks
    ) as told
    group by told.case_id
)
select kept.case_id
from console_cases as kept
left join said on said.case_id = kept.case_id
where kept.said_count <> coalesce(said.said_count, 0)
    or kept.changes_at <= :'as_of'::timestamptz
order by kept.case_id
limit :'rows'::bigint;
