-- purpose: a page of the open breaks as the latest detection left them, most severe first, then oldest.
-- parameters: as_of (timestamptz); name, severity, app (text): empty for any; after (text): place of the last row of the page
--             before; rows (bigint)
-- grain:   one row per open break
with decided as materialized (
    select decided.break_id, decided.state
    from decided_breaks_at(:'as_of'::timestamptz) as decided
    where decided.ended_at is null
),
current as (
    select
        break_events.*,
        concat_ws(
            '|', 9 - coalesce(severity_rank(break_events.severity), 0),
            to_char(break_events.opened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), break_events.break_id
        ) as place
    from open_breaks
    inner join break_events
        on break_events.break_id = open_breaks.break_id
        and break_events.as_of = open_breaks.as_of
        and break_events.attempt = open_breaks.attempt
    where (:'name'::text = '' or break_events.class = :'name'::text)
        and (:'severity'::text = '' or break_events.severity = :'severity'::text)
        and (:'app'::text = '' or break_events.bundle_id = :'app'::text)
),
paged as materialized (
    select current.*
    from current
    where current.place > :'after'::text collate "C"
    order by current.place collate "C"
    limit :'rows'::bigint
)
select
    paged.break_id,
    paged.class,
    paged.severity,
    coalesce(decided.state, 'undecided') as status,
    paged.order_id,
    paged.charge_id,
    paged.user_id,
    money_text(paged.amount_milliunits, paged.currency) as at_stake,
    paged.amount_milliunits,
    paged.currency,
    rfc3339(paged.opened_at) as opened_at,
    paged.bundle_id as app,
    paged.detail,
    paged.place
from paged
left join decided on decided.break_id = paged.break_id
order by paged.place collate "C";
