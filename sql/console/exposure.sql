-- purpose: money at stake by currency: the undecided Production breaks, counted as in the report, and apart from them the
--          amounts of other environments, which are no money. Amounts of different currencies are never added.
-- parameters: as_of (timestamptz); inboxes (text[]): teams whose classes are counted, none for all; rows (bigint)
-- grain:   one row per currency
with undecided as (
    select
        break_events.currency, at_stake(break_events.environment, break_events.amount_milliunits) as amount_milliunits,
        case when break_events.environment <> 'Production' then break_events.amount_milliunits end as sandbox_milliunits
    from open_break_events as break_events
    inner join break_classes on break_classes.class = break_events.class
    where break_events.break_id not in (
        select decided.break_id
        from decided_breaks_at(:'as_of'::timestamptz) as decided
        where decided.ended_at is null
    )
        and (cardinality(:'inboxes'::text[]) = 0 or break_classes.owner_team = any(:'inboxes'::text[]))
)
select
    undecided.currency,
    count(*) filter (where undecided.amount_milliunits > 0) as break_count,
    money_text(sum(undecided.amount_milliunits), undecided.currency) as at_stake,
    money_text(max(undecided.amount_milliunits), undecided.currency) as largest,
    coalesce(money_text(sum(undecided.sandbox_milliunits), undecided.currency), '') as in_sandbox
from undecided
where (undecided.amount_milliunits > 0 or undecided.sandbox_milliunits > 0)
    and undecided.currency is not null
group by undecided.currency
order by sum(undecided.amount_milliunits) desc nulls last, undecided.currency
limit :'rows'::bigint;
