-- purpose: the undecided Production breaks with the most money at stake.
-- parameters: as_of (timestamptz), row_count (bigint)
-- grain:   one row per break, at most row_count; amounts of different currencies are never compared: the largest of each
--          currency come first, then the second largest of each, and so on
with latest as (
    select distinct on (break_id) break_events.*
    from break_events
    where as_of <= :'as_of'::timestamptz
    order by break_id asc, as_of desc, attempt desc
),
ranked as (
    select
        latest.*,
        row_number() over (partition by currency order by amount_milliunits desc, opened_at asc, break_id asc) as rank
    from latest
    where is_open
        and at_stake(environment, amount_milliunits) > 0
        and currency is not null
        and not exists (
            select 1
            from decided_breaks_at(:'as_of'::timestamptz) as decided
            where decided.break_id = latest.break_id
                and decided.ended_at is null
        )
),
chosen as (select * from ranked order by rank, currency limit :'row_count'::bigint)
select
    chosen.currency, chosen.rank, chosen.amount_milliunits, chosen.class, chosen.severity,
    greatest(0, floor(extract(epoch from :'as_of'::timestamptz - chosen.opened_at) / 86400))::bigint as age_days,
    chosen.bundle_id, chosen.order_id, chosen.transaction_id, chosen.user_id, break_classes.owner_team,
    rfc3339(chosen.opened_at + make_interval(hours => break_classes.due_hours)) as due_at,
    chosen.break_id, chosen.detail
from chosen
inner join break_classes on break_classes.class = chosen.class
order by chosen.currency, chosen.rank;
