-- purpose: the breaks and signals of a case, each with its runbook.
-- parameters: case_id (text), item_ids (text[]): of the case, as_of (timestamptz), rows (bigint)
-- grain:   one row per break or signal: pending ones first, then closed ones
select
    case when items.item_kind = 'break' then items.item_id end as break_id,
    case when items.item_kind = 'signal' then items.item_id end as signal_id,
    items.name,
    case when not items.is_open then 'over' when items.is_decided then 'decided' else 'open' end as status,
    coalesce(severity_of(items.rank), '') as severity,
    items.order_id, items.charge_id,
    money_text(items.amount_milliunits, items.currency) as at_stake,
    rfc3339(items.since_at) as since,
    items.detail,
    coalesce(to_jsonb(break_classes.runbook), phrase('case.suspicion')) as what_to_do
from case_items_at(:'as_of'::timestamptz, :'item_ids'::text[]) as items
left join break_classes on break_classes.class = items.name
where items.case_id = :'case_id'::text
order by items.is_open desc, items.is_decided, items.rank desc, items.since_at, items.item_id collate "C"
limit :'rows'::bigint;
