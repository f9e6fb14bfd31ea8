-- purpose: from when until when the entries of a list cover what is bought or claimed, as known at a clock: what falls into such a span
--          stays covered after its end. Who takes an entry off ends its span then; what was a mistake never had one.
-- parameters: clock; wanted: the list
create or replace function payrecon.list_spans_at(clock timestamptz, wanted text)
returns table (subject_id text, family text, covers_from timestamptz, covers_to timestamptz)
language sql stable parallel safe
as $$
    select
        list_entries.subject_id, list_entries.family, list_entries.valid_from,
        least(list_entries.valid_to, list_removals.removed_at)
    from payrecon.list_entries
    left join payrecon.list_removals
        on list_removals.entry_id = list_entries.entry_id
        and list_removals.removed_at <= clock
    where list_entries.list = wanted
        and list_entries.added_at <= clock
        and list_removals.is_mistake is not true
        and list_entries.valid_from < coalesce(list_removals.removed_at, 'infinity')
$$;
