-- purpose: Writes cases of the console as of a clock. Runs with the caller's rights; called by console_gather.
create or replace function payrecon.console_gather_cases(
    clock timestamptz, wanted_items text[], wanted_cases text[]
) returns void
language plpgsql volatile
as $$
begin
    with state as materialized (
        select cases.*
        from payrecon.cases_at(clock, wanted_items, wanted_cases) as cases
    ),
    item as materialized (
        select items.case_id, items.item_id, items.order_id, items.charge_id, items.is_open, items.rank, items.due_at
        from payrecon.case_items_at(clock, wanted_items) as items
        -- Not a join, which may recompute an id for each pair.
        where items.case_id = any(wanted_cases)
    ),
    sale as (
        select item.case_id, orders.storefront
        from item
        inner join payrecon.orders on orders.order_id = item.order_id
        union
        select item.case_id, charges.storefront
        from item
        inner join payrecon.charges on charges.charge_id = item.charge_id
    ),
    storefront as materialized (
        select sale.case_id, array_agg(distinct sale.storefront order by sale.storefront) as storefronts
        from sale
        where sale.storefront is not null
        group by sale.case_id
    ),
    case_item as materialized (
        select
            item.case_id, array_agg(item.item_id order by item.item_id) as item_ids,
            min(item.due_at) filter (where item.is_open) as due_at
        from item
        group by item.case_id
    ),
    change as materialized (
        select coming.case_id, min(coming.changes_at) as changes_at
        from (
            select case_decisions.case_id, case_decisions.holds_until as changes_at
            from payrecon.case_decisions
            where case_decisions.holds_until > clock
                and case_decisions.case_id = any(wanted_cases collate "C")
            union all
            -- After a deadline of Apple's the case loses its place.
            select item.case_id, item.due_at
            from item
            where item.rank = 5
                and item.due_at > clock
        ) as coming
        group by coming.case_id
    ),
    case_mark as materialized (
        select
            marks.case_id, max(marks.assignee) as assignee,
            -- A new item returns a case early.
            case
                when bool_or(marks.topic = 'snooze' and item.is_open and item.item_id <> all(marks.item_ids)) is not true
                    then max(marks.returns_at)
            end as returns_at
        from payrecon.marks_at(clock, wanted_cases) as marks
        left join item on item.case_id = marks.case_id
        where marks.topic <> 'following'
        group by marks.case_id
    ),
    team as materialized (
        select owned.case_id, array_agg(distinct owned.team order by owned.team) as teams
        from (
            -- Signals of rules are for the fraud team.
            select state.case_id, case when name.name ~ '^R[0-9]+$' then 'fraud' else break_classes.owner_team end as team
            from state
            cross join lateral string_to_table(state.names, ' ') as name (name)
            left join payrecon.break_classes on break_classes.class = name.name
        ) as owned
        where owned.team is not null
        group by owned.case_id
    )
    insert into payrecon.console_cases (
        case_id, subject_kind, subject_id, status, proposed_action, proposed_by, proposed_at, currency, place, names, teams, bundle_ids,
        storefronts, item_ids, rank, signal_count, break_count, amount_milliunits, opened_at,
        due_at, changes_at, assignee, returns_at
    )
    select
        state.case_id, state.subject_kind, state.subject_id,
        case state.status when 'taken' then 'open' else state.status end,
        case when state.status = 'waiting_approval' then state.action end,
        case when state.status = 'waiting_approval' then state.decided_by end,
        case when state.status = 'waiting_approval' then state.decided_at end,
        state.currency,
        payrecon.case_place(state.status, state.rank, due.due_at, state.opened_at, state.case_id),
        coalesce(string_to_array(state.names, ' '), '{}'), coalesce(team.teams, '{}'),
        coalesce(string_to_array(state.bundle_ids, ' '), '{}'), coalesce(storefront.storefronts, '{}'),
        coalesce(case_item.item_ids, '{}'),
        state.rank, state.signal_count, state.break_count, state.amount_milliunits, state.opened_at,
        due.due_at, change.changes_at, case_mark.assignee, case_mark.returns_at
    from state
    -- A decision on an otherwise correct match is a case without breaks and signals.
    left join case_item on case_item.case_id = state.case_id
    left join team on team.case_id = state.case_id
    left join storefront on storefront.case_id = state.case_id
    left join case_mark on case_mark.case_id = state.case_id
    left join change on change.case_id = state.case_id
    -- A case whose decision is in force has nothing pending; while its undo awaits approval, its open items are due.
    cross join lateral (
        select coalesce(state.due_at, case when state.status = 'waiting_approval' then case_item.due_at end) as due_at
    ) as due
    on conflict do nothing;
end
$$;
