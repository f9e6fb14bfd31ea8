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
            || coalesce(', due ' || rfc3339(state.due_at), '')
            || coalesce(', proposal ' || proposal_id(state.case_id), '') as text, null as apple
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
    select 4, act.at,
        '  ' || rfc3339(act.at) || case when act.kind = 'undo' then '  undo of ' else '  ' end || act.action || ' ' || act.step
            || ' by ' || act.person || coalesce(' (' || act.outcome || ')', '') || ': ' || act.reason || ', account ' || act.account
            || coalesce(
                ', breaks ' || nullif(array_to_string(act.break_ids, ' '), ''),
                case when act.scope = 'named' then ', no break of this case' end, ''
            )
            || coalesce(', until ' || rfc3339(act.until), ''),
        act.apple
    from case_acts as act
    where act.case_id = :'case_id'::text
        and act.at <= :'as_of'::timestamptz
        and act.kind in ('decision', 'undo')
) as line
order by line.section, line.at, line.text collate "C";
