-- purpose: Returns the spans in which list entries cover purchases and claims, as known at a clock. A purchase or claim
--          inside a span stays covered after its end. Removing an entry ends its span; a mistaken entry never had one.
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
