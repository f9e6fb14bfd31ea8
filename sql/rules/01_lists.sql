-- purpose: the list entries in force at the clock. An entry about a period reported without its line item is about the charge
--          that it turned out to be.
-- parameters: as_of (timestamptz)
-- grain:   one row per entry
create temp table rule_list on commit drop as
with entry as materialized (
    select list_entries.*
    from list_entries
    where list_entries.added_at <= :'as_of'::timestamptz
        and list_entries.valid_from <= :'as_of'::timestamptz
        and list_entries.valid_to > :'as_of'::timestamptz
        and not exists (
            select 1
            from list_removals
            where list_removals.entry_id = list_entries.entry_id
                and list_removals.removed_at <= :'as_of'::timestamptz
        )
),
renamed as materialized (
    select charges.stated_id, charges.charge_id
    from renamed_charges_at(
        :'as_of'::timestamptz, array(select entry.subject_id from entry where entry.subject_kind = 'charge')
    ) as charges
)
select
    entry.list, entry.subject_kind, coalesce(renamed.charge_id, entry.subject_id) as subject_id, entry.rule, entry.owner,
    entry.reason, entry.valid_from
from entry
left join renamed
    on renamed.stated_id = entry.subject_id
    and entry.subject_kind = 'charge';
