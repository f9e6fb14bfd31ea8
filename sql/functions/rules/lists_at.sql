-- purpose: Returns list entries in force at a clock and known by it.
create or replace function payrecon.lists_at(clock timestamptz) returns setof payrecon.list_entries
language sql stable parallel safe
as $$
    select list_entries.*
    from payrecon.list_entries
    where list_entries.added_at <= clock
        and list_entries.valid_from <= clock
        and list_entries.valid_to > clock
        and not exists (
            select 1
            from payrecon.list_removals
            where list_removals.entry_id = list_entries.entry_id
                and list_removals.removed_at <= clock
        )
$$;
