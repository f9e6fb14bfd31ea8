-- purpose: some open breaks as the latest detection left them, with what people decided about them; most severe first, then
--          oldest.
-- parameters: as_of (timestamptz), break_ids (text[])
-- grain:   one row per open break
with told as materialized (
    select break_events.*, open_breaks.place
    from open_breaks
    inner join break_events
        on break_events.break_id = open_breaks.break_id
        and break_events.as_of = open_breaks.as_of
        and break_events.attempt = open_breaks.attempt
    where open_breaks.break_id = any(:'break_ids'::text[] collate "C")
),
decided as materialized (
    select decided.break_id, decided.state
    from decided_breaks_among(:'as_of'::timestamptz, :'break_ids'::text[]) as decided
    where decided.ended_at is null
)
select
    told.break_id,
    told.class,
    told.severity,
    coalesce(decided.state, 'undecided') as status,
    told.order_id,
    told.charge_id,
    told.user_id,
    money_text(at_stake(told.environment, told.amount_milliunits), told.currency) as at_stake,
    told.amount_milliunits,
    told.currency,
    rfc3339(told.opened_at) as opened_at,
    told.bundle_id as app,
    told.detail,
    told.place
from told
left join decided on decided.break_id = told.break_id
order by told.place;
