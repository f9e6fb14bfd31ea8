-- purpose: a case as lines for readers: its signals and breaks, linked subjects, and earlier decisions.
-- parameters: case_id (text), as_of (timestamptz)
-- grain:   one row per line, with Apple's answer before a decision
with item as (select * from case_items_at(:'as_of'::timestamptz) as items where items.case_id = :'case_id'::text),
linked as (
    select distinct other.case_id, other.subject_kind, other.subject_id, other.charge_id
    from item
    inner join case_items_at(:'as_of'::timestamptz) as other
        on other.charge_id = item.charge_id
        and other.case_id <> item.case_id
    where other.is_open
)
select line.text, line.apple
from (
    select 1 as section, state.opened_at as at,
        'case ' || state.case_id || ': ' || state.subject_kind || ' ' || state.subject_id || ', ' || state.status
            || coalesce(' by ' || state.taken_by || ' until ' || rfc3339(state.lease_until), '')
            || coalesce(', due ' || rfc3339(state.due_at), '') as text, null as apple
    from cases_at(:'as_of'::timestamptz) as state
    where state.case_id = :'case_id'::text
    union all
    select 2, item.opened_at,
        '  ' || item.item_kind || ' ' || item.item_id || ': ' || item.name
            || case
                when not item.is_open then ' (over)'
                when item.is_decided then ' (decided)'
                else ''
            end
            || coalesce(', order ' || item.order_id, '') || coalesce(', charge ' || item.charge_id, '')
            || coalesce(', ' || money_text(item.amount_milliunits, item.currency), '') || ': ' || english(item.detail), null
    from item
    union all
    select 3, null,
        '  linked to case ' || linked.case_id || ' (' || linked.subject_kind || ' ' || linked.subject_id
            || ') by charge ' || linked.charge_id, null
    from linked
    union all
    select 4, case_decisions.at,
        '  ' || rfc3339(case_decisions.at) || '  ' || case_decisions.action || ' ' || case_decisions.step || ' by '
            || case when case_decisions.step = 'proposed' then case_decisions.decided_by
            else coalesce(case_decisions.approved_by, case_decisions.decided_by) end
            || ' (' || case_decisions.outcome || '): ' || case_decisions.reason || ', account ' || case_decisions.account
            || coalesce(
                ', breaks ' || nullif(array_to_string(case_decisions.break_ids, ' '), ''),
                case when case_decisions.scope = 'named' then ', no break of this case' end, ''
            )
            || coalesce(', until ' || rfc3339(case_decisions.holds_until), ''),
        case_decisions.apple
    from case_decisions
    where case_decisions.case_id = :'case_id'::text
        and case_decisions.at <= :'as_of'::timestamptz
    union all
    select 4, case_undos.at,
        '  ' || rfc3339(case_undos.at) || '  undo of ' || case_undos.action || ' ' || case_undos.step || ' by '
            || coalesce(case_undos.approved_by, case_undos.asked_by) || ': ' || case_undos.reason || ', account '
            || case_undos.account, null
    from case_undos
    where case_undos.case_id = :'case_id'::text
        and case_undos.at <= :'as_of'::timestamptz
) as line
order by line.section, line.at, line.text collate "C";
