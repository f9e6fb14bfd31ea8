-- purpose: counts of the chunk's new and repeated items, without nested ones.
-- grain:   one row
select
    count(*) filter (where fresh_evidence.item is not null) as fresh_count,
    count(*) filter (where fresh_evidence.item is null) as repeated_count
from staged_evidence
left join fresh_evidence using (sha256, item)
where staged_evidence.is_top;
