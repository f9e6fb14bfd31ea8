-- purpose: whether each kind of input is fresh at a clock. Detect, the night, reports, run-due, metrics and doctor all use
--          this answer. Only new information counts: the newest update of an order or the newest signature by Apple, up to
--          the clock. Users and catalogue have no such instant, so the clock of their reading counts. Once Production orders
--          or evidence were known, only Production counts. Without any, as on a staging system, the sandbox counts.
-- rules:   never: a required kind had no input up to the clock.
--          old: its newest fact is older than max_age.
--          few: one of these conditions holds; 2 to 4 are skipped if neither max_age nor rows_min is set.
--          1. Fewer than rows_min within max_age (24 h without one).
--          2. Fewer in the last 24 h (within max_age if that exceeds two days) than a fifth of the median of the last 14 nights
--             with input; as those nights saw it, with at least 5 nights and a median of 20.
--          3. No row of one app within max_age (at least 24 h), although the app has a regular flow of rows
--             (functions/runs/silent_apps.sql).
--          4. Five or more items were read since the last complete night, and nothing or next to nothing of them counts. The
--             verification, the app list or the feed is then wrong; this is reported beside other conditions.
--          Nights are those of the last 92 days that ended complete.
-- parameters: as_of (timestamptz), kinds, max_ages (text[], seconds; '' for none), rows_mins (text[]), needed (text[]: kinds
--             without which there is nothing to reconcile)
-- grain:   one row per kind, in the order given
with counted_environment as materialized (
    select exists (select 1 from input_facts_at('-infinity', :'as_of'::timestamptz, true)) as is_production
),
wanted as (
    select
        asked.*,
        counted_environment.is_production,
        is_dated_input(asked.kind) as is_dated,
        asked.max_age is not null or asked.rows_min > 0 as is_compared,
        coalesce(asked.max_age, interval '24 hours') as span,
        -- Span for the comparison of nights. A longer one would include the previous day and hide a missing day.
        case when asked.max_age > interval '48 hours' then asked.max_age else interval '24 hours' end as night_span
    from (
        select
            given.kind, given.place, nullif(given.max_age, '')::bigint * interval '1 second' as max_age, given.rows_min::bigint as rows_min
        from unnest(:'kinds'::text[], :'max_ages'::text[], :'rows_mins'::text[])
            with ordinality as given (kind, max_age, rows_min, place)
    ) as asked
    cross join counted_environment
),
night as (select nights.place, nights.clock from input_nights(:'as_of'::timestamptz) as nights),
counted as (
    select
        wanted.kind, night.place,
        input_count(wanted.kind, wanted.night_span, night.clock, wanted.is_production) as row_count
    from wanted
    cross join night
),
usual as (
    select kind, percentile_disc(0.5) within group (order by row_count) as row_count
    from (
        select kind, row_count, row_number() over (partition by kind order by place) as recency
        from counted
        where place > 0
            and row_count > 0
    ) as past
    where recency <= 14
    group by kind
    having count(*) >= 5
),
last_night as (
    select max(as_of) as as_of
    from runs
    where job = 'nightly'
        and is_complete(verdict)
        and as_of < :'as_of'::timestamptz
),
read_items as materialized (
    select
        item.kind,
        sum(item.item_count) filter (where batches.kind = item.kind)::bigint as item_count,
        coalesce(sum(item.item_count) filter (where item.fact_hour <= :'as_of'::timestamptz), 0)::bigint as row_count
    from last_night
    inner join batches on batches.known_at > last_night.as_of and batches.known_at <= :'as_of'::timestamptz
    inner join (
        select hours.kind, hours.batch_id, hours.fact_hour, hours.row_count as item_count from input_hours as hours
        union all
        select parked_items.kind, parked_items.batch_id, 'infinity', 1 from parked_items
    ) as item on item.batch_id = batches.batch_id
    group by item.kind
),
-- Items read since the last complete night, even one of the same day, of which none counts, or next to none and fewer than a
-- fifth of the usual number. Re-verified evidence is in batches of another kind.
unaccepted as (
    select wanted.kind, last_night.as_of as since, read_items.item_count, read_items.row_count as accepted_count
    from wanted
    cross join last_night
    inner join read_items on read_items.kind = wanted.kind
    left join usual on usual.kind = wanted.kind
    where wanted.is_dated
        and wanted.is_compared
        and read_items.item_count >= 5
        and (
            read_items.row_count = 0
            or (
                usual.row_count >= 20
                and read_items.row_count * 5 < usual.row_count
                and read_items.row_count * 20 < read_items.item_count
            )
        )
),
silent_app as materialized (
    select wanted.kind, silent.bundle_id, silent.row_count
    from wanted
    cross join lateral silent_apps(
        wanted.kind, greatest(wanted.span, wanted.night_span), wanted.night_span, :'as_of'::timestamptz, wanted.is_production
    ) as silent
    where wanted.is_dated
        and wanted.is_compared
),
-- Only the apps of the settings of the latest night that started are expected.
silence as (
    select
        kind, count(*) as app_count,
        string_agg(bundle_id || ' (' || row_count || ')', ', ' order by bundle_id) filter (where place <= 3) as names
    from (
        select silent_app.*, row_number() over (partition by silent_app.kind order by silent_app.bundle_id) as place
        from silent_app
        inner join (
            select settings_texts.settings
            from runs
            left join settings_texts on settings_texts.settings_sha256 = runs.settings_sha256
            where runs.job = 'nightly'
                and runs.as_of <= :'as_of'::timestamptz
            order by runs.started_at desc
            limit 1
        ) as latest on strpos(E'\n' || latest.settings, E'\napps.' || silent_app.bundle_id || '.time_zone: ') > 0
    ) as named
    group by kind
),
newest as materialized (
    select
        wanted.kind,
        case
            when wanted.is_dated then (
                select least(max(fact.newest_fact_at), :'as_of'::timestamptz)
                from input_facts_at('-infinity', :'as_of'::timestamptz, wanted.is_production) as fact
                where fact.kind = wanted.kind collate "C"
                group by fact.fact_hour
                having sum(fact.row_count) > 0
                order by fact.fact_hour desc
                limit 1
            )
            else (
                select max(batches.known_at)
                from batches
                where batches.kind = wanted.kind
                    and batches.known_at <= :'as_of'::timestamptz
                    and batches.accepted_count > 0
            )
        end as newest_at,
        input_count(wanted.kind, wanted.span, :'as_of'::timestamptz, wanted.is_production) as row_count
    from wanted
),
assessed as materialized (
    select
        wanted.*, newest.newest_at, newest.row_count, tonight.row_count as night_count, usual.row_count as usual_count,
        -- The newest sandbox input, reported when only Production input is missing. It counts only if it is newer.
        (
            select max(fact.newest_fact_at)
            from input_facts_at(coalesce(newest.newest_at, '-infinity'), :'as_of'::timestamptz, false) as fact
            where wanted.is_production
                and wanted.is_dated
                and fact.kind = wanted.kind collate "C"
                and fact.environment <> 'Production'
        ) as sandbox_at,
        case
            when newest.newest_at is null
                then case when wanted.kind = any(:'needed'::text[]) or wanted.is_compared then 'never' end
            when :'as_of'::timestamptz - newest.newest_at > wanted.max_age then 'old'
            when newest.row_count < wanted.rows_min then 'under_least'
            when wanted.is_compared and usual.row_count >= 20 and tonight.row_count * 5 < usual.row_count then 'under_fifth'
            when silence.app_count > 0 then 'silent_app'
            when unaccepted.item_count > 0 then 'unaccepted'
        end as fault,
        silence.app_count, silence.names,
        phrase('said.apart', jsonb_build_object(
            'first', phrase(
                case when unaccepted.accepted_count = 0 then 'detail.input_untaken' else 'detail.input_hardly' end,
                'kind', unaccepted.kind, 'count', unaccepted.item_count::text, 'at', rfc3339(unaccepted.since),
                'taken', unaccepted.accepted_count::text
            ),
            'more', phrase(case when unaccepted.kind = 'apple' then 'detail.input_trust' else 'detail.input_deadletters' end)
        )) as unaccepted
    from wanted
    inner join newest on newest.kind = wanted.kind
    inner join counted as tonight on tonight.kind = wanted.kind and tonight.place = 0
    left join usual on usual.kind = wanted.kind
    left join silence on silence.kind = wanted.kind
    left join unaccepted on unaccepted.kind = wanted.kind
)
select
    kind, case when fault in ('never', 'old') then fault when fault is null then 'fresh' else 'few' end as state,
    rfc3339(newest_at) as newest_at,
    rfc3339(case when fault = 'old' then newest_at + max_age else :'as_of'::timestamptz end) as stale_at,
    said.reason, said.reason::text as detail,
    unaccepted is not null as is_unaccepted
from assessed
cross join lateral (
    select case
        when fault = 'never'
            and exists (
                select 1
                from batches
                where batches.kind = assessed.kind
                    and batches.known_at <= :'as_of'::timestamptz
                    and batches.input_count > 0
            )
            then phrase('detail.input_unread', jsonb_build_object('kind', kind, 'what', phrase(
                case when sandbox_at is null then 'detail.input_could_be_taken' else 'detail.input_is_of_production' end
            )))
        when fault = 'never' then phrase('detail.input_never', 'kind', kind)
        when fault = 'old' and sandbox_at > newest_at then phrase('detail.input_aside', jsonb_build_object('what', late.reason))
        when fault = 'old' then late.reason
        when fault = 'under_least'
            then phrase('detail.input_few', 'kind', kind, 'count', row_count::text, 'span', duration_text(span), 'least', rows_min::text)
        when fault = 'under_fifth'
            then phrase(
                'detail.input_fifth', 'kind', kind, 'count', night_count::text, 'span', duration_text(night_span),
                'usual', usual_count::text
            )
        when fault = 'silent_app'
            then phrase('detail.input_silent', jsonb_build_object(
                'kind', kind, 'span', duration_text(greatest(span, night_span)),
                'apps', case
                    when app_count > 3 then phrase('detail.input_other_apps', 'list', names, 'count', (app_count - 3)::text)
                    else to_jsonb(names)
                end
            ))
        when fault = 'unaccepted' then null
        when newest_at is null then to_jsonb('none was read, and none is needed'::text)
        else to_jsonb('the newest of it is of ' || rfc3339(newest_at) || '; ' || row_count || ' rows in ' || duration_text(span))
    end as main, case when fault <> 'never' then unaccepted end as more
    from (
        select phrase('detail.input_late', 'kind', kind, 'at', rfc3339(newest_at), 'span', duration_text(span)) as reason
    ) as late
) as part
cross join lateral (
    select coalesce(phrase('said.apart', jsonb_build_object('first', part.main, 'more', part.more)), part.main, part.more) as reason
) as said
order by place;
