-- purpose: Returns the items of cases at a clock. is_undecided: the item is open, and no decision in force covers it.
--          counts: the item is part of its case's figures. If something is undecided, these are the items that a decision on
--          the case would cover, also those decided by watch, contact or take_back; else the open ones. A null selects all
--          breaks and signals, and all cases.
-- grain:   one row per break or signal
create or replace function payrecon.reviewed_items_at(clock timestamptz, item_ids text[] default null, case_ids text[] default null)
returns table (
    case_id text, subject_kind text, subject_id text, item_kind text, item_id text, name text, rank integer, opened_at timestamptz,
    due_at timestamptz, order_id text, charge_id text, amount_milliunits bigint, currency text, bundle_id text, amount_of text,
    is_undecided boolean, counts boolean
)
language sql stable parallel safe
as $$
    with closing as (
        select
            closings.case_id, closings.scope, closings.order_id, closings.charge_id, closings.break_ids, closings.at,
            case
                -- A decided break states so itself (is_decided).
                when closings.action in ('accept', 'dismiss', 'write_off') then false
                -- After a decision on a pair the next detection decides, and its findings are undecided again.
                when closings.action in ('forced_match', 'unmatch', 'benign_duplicate')
                    then not exists (
                        select 1 from payrecon.detections where detections.as_of > closings.at and detections.as_of <= clock
                    )
                else true
            end as covers_breaks,
            closings.action in ('watch', 'contact', 'take_back') as only_watches
        from payrecon.closings_at(clock) as closings
        where (reviewed_items_at.case_ids is null or closings.case_id = any(reviewed_items_at.case_ids collate "C"))
    ),
    case_item as (
        select items.*
        from payrecon.case_items_at(clock, reviewed_items_at.item_ids) as items
        where (reviewed_items_at.case_ids is null or items.case_id = any(reviewed_items_at.case_ids collate "C"))
    ),
    settled as (
        select
            case_item.item_kind, case_item.item_id, max(closing.at) as at,
            max(closing.at) filter (where not closing.only_watches) as ended_at
        from case_item
        inner join closing on closing.case_id = case_item.case_id
        where case
                when case_item.item_kind = 'break' then case_item.item_id = any(closing.break_ids) and closing.covers_breaks
                else closing.scope = 'case' or case_item.order_id = closing.order_id or case_item.charge_id = closing.charge_id
            end
        group by case_item.item_kind, case_item.item_id
    ),
    item as (
        select
            case_item.*,
            case_item.is_open and not case_item.is_decided and case_item.since_at > coalesce(settled.at, '-infinity') as is_undecided,
            case_item.is_open and not case_item.is_decided
            and case_item.since_at > coalesce(settled.ended_at, '-infinity') as awaits_decision
        from case_item
        left join settled using (item_kind, item_id)
    )
    select
        item.case_id, item.subject_kind, item.subject_id, item.item_kind, item.item_id, item.name, item.rank, item.opened_at,
        item.due_at, item.order_id, item.charge_id, item.amount_milliunits, item.currency, item.bundle_id, item.amount_of,
        item.is_undecided,
        case when bool_or(item.is_undecided) over (partition by item.case_id) then item.awaits_decision else item.is_open end
    from item
$$;
