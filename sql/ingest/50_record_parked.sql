-- purpose: parks input that could not be accepted, without the names of erased users. The same item is parked once, wherever
--          it occurs.
-- grain:   one row per parked item
with parked as materialized (
    select distinct on (staged_parked.parked_id)
        staged_parked.*, without_erased(staged_parked.raw) as kept,
        phrase_without_erased(staged_parked.reason) as kept_reason
    from staged_parked
    order by staged_parked.parked_id
)
insert into parked_items (parked_id, kind, file, field, reason, header, raw, line, byte_count, batch_id)
select
    parked.parked_id, parked.kind, parked.file, parked.field, parked.kept_reason, parked.header, parked.kept, parked.line,
    parked.byte_count + length(parked.kept) - length(parked.raw), parked.batch_id
from parked
on conflict do nothing;
