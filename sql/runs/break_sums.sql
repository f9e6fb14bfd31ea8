-- purpose: undecided open breaks at the transaction's clock and their money at stake, most severe class first.
-- parameters: as_of (timestamptz)
-- grain:   one row per class and currency (empty for breaks without money)
with open_break as materialized (
    select
        break_events.break_id, break_events.class, break_events.currency,
        at_stake(break_events.environment, break_events.amount_milliunits) as amount_milliunits
    from open_break_events as break_events
),
counted as (
    select open_break.class, coalesce(open_break.currency, '') as currency, count(*) as break_count,
        coalesce(sum(open_break.amount_milliunits), 0)::text as amount_milliunits
    from open_break
    left join decided_breaks_at(:'as_of'::timestamptz) as decided
        on decided.break_id = open_break.break_id
        and decided.ended_at is null
    where decided.break_id is null
    group by open_break.class, coalesce(open_break.currency, '')
)
select counted.class, counted.currency, counted.break_count, counted.amount_milliunits
from counted
inner join break_classes on break_classes.class = counted.class
order by severity_rank(break_classes.severity) desc, counted.class collate "C", counted.currency collate "C";
