-- purpose: Returns the apps with a regular flow of rows of one kind of input and no row in a span up to a clock. row_count is the
--          usual number of rows of a night. The flow is regular if each of the last 14 nights that saw the app, at least 10,
--          had rows of it, with a median of at least 20. Nights after an app's last input do not count, since its silence
--          would otherwise excuse itself.
-- parameters: span: without a row up to the clock; night_span: of which the rows of an earlier night are counted
-- grain:   one row per app
create or replace function payrecon.silent_apps(
    kind text, span interval, night_span interval, as_of timestamptz, only_production boolean
) returns table (bundle_id text, row_count bigint)
language sql stable parallel restricted
as $$
    with night as materialized (
        select nights.place, nights.clock from payrecon.input_nights(silent_apps.as_of) as nights
    ),
    app_night as materialized (
        select fact.bundle_id, night.place, sum(fact.row_count)::bigint as row_count
        from night
        cross join lateral payrecon.input_facts_at(
            night.clock - case when night.place = 0 then silent_apps.span else silent_apps.night_span end, night.clock,
            silent_apps.only_production
        ) as fact
        where fact.kind = silent_apps.kind collate "C"
        group by fact.bundle_id, night.place
    )
    select app_input.bundle_id, percentile_disc(0.5) within group (order by app_input.row_count)
    from (
        select app_night.*, min(app_night.place) over (partition by app_night.bundle_id) as last_place
        from app_night
    ) as app_input
    where app_input.place < app_input.last_place + 14
    group by app_input.bundle_id, app_input.last_place
    having app_input.last_place > 0
        and count(*) >= 10
        and count(*) = (select least(14, max(night.place) - app_input.last_place + 1) from night)
        and percentile_disc(0.5) within group (order by app_input.row_count) >= 20
$$;
