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
--          3. No row of one app within max_age (at least 24 h), although the app has a regular flow of rows. That is so if each
--             of the last 14 nights that saw the app, at least 10, had rows of it, with a median of at least 20.
--          4. Five or more items were read since the last complete night, and nothing or next to nothing of them counts. The
--             verification, the app list or the feed is then wrong; this is reported beside other conditions.
--          Nights are those of the last 92 days that ended complete.
-- parameters: as_of (timestamptz), kinds, max_ages (text[], seconds; '' for none), rows_mins (text[]), needed (text[]: kinds
--             without which there is nothing to reconcile)
-- grain:   one row per kind, in the order given
with counted_environment as materialized (
    select exists (
            select 1
            from input_hours
            inner join batches on batches.batch_id = input_hours.batch_id
            where input_hours.environment = 'Production'
                and input_hours.fact_hour <= :'as_of'::timestamptz
                and batches.known_at <= :'as_of'::timestamptz
        ) as is_production
),
wanted as (
    select
        expectation.kind, expectation.place, nullif(expectation.max_age, '')::bigint * interval '1 second' as max_age,
        expectation.rows_min::bigint as rows_min,
        coalesce(nullif(expectation.max_age, '')::bigint, 86400) * interval '1 second' as span,
        -- Span for the comparison of nights. A longer one would include the previous day and hide a missing day.
        case
            when nullif(expectation.max_age, '')::bigint > 172800 then expectation.max_age::bigint
            else 86400
        end * interval '1 second' as night_span,
        expectation.kind = any(:'needed'::text[]) or expectation.max_age <> '' or expectation.rows_min::bigint > 0 as is_needed
    from unnest(:'kinds'::text[], :'max_ages'::text[], :'rows_mins'::text[])
        with ordinality as expectation (kind, max_age, rows_min, place)
),
-- Clocks at which rows are counted: this one (place 0) and those of earlier nights, one per day. Incomplete nights are left
-- out, since a broken feed would otherwise become the norm.
past_night as (
    select distinct on ((as_of at time zone 'UTC')::date) as_of
    from runs
    where job = 'nightly'
        and is_complete(verdict)
        and as_of > :'as_of'::timestamptz - interval '92 days'
        and (as_of at time zone 'UTC')::date < (:'as_of'::timestamptz at time zone 'UTC')::date
    order by (as_of at time zone 'UTC')::date desc, as_of desc
    limit 28
),
night as (
    select 0 as place, :'as_of'::timestamptz as clock
    union all
    select row_number() over (order by as_of desc), as_of
    from past_night
),
counted_span as (
    select kind, span, false as is_beside_nights from wanted
    union all
    select kind, night_span, true from wanted
),
counted as (
    select
        wanted.kind, night.place, wanted.is_beside_nights,
        case
            when wanted.kind in ('orders', 'apple') then (
                select coalesce(sum(input_hours.row_count), 0)
                from input_hours
                inner join batches on batches.batch_id = input_hours.batch_id
                where input_hours.kind = wanted.kind
                    and input_hours.fact_hour <= night.clock
                    and (input_hours.environment = 'Production' or not counted_environment.is_production)
                    and input_hours.fact_hour > night.clock - wanted.span - interval '1 hour'
                    and input_hours.newest_fact_at >= night.clock - wanted.span
                    and batches.known_at <= night.clock
            )
            else (
                select coalesce(sum(batches.accepted_count), 0)
                from batches
                where batches.kind = wanted.kind
                    and batches.known_at <= night.clock
                    and batches.known_at >= night.clock - wanted.span
            )
        end::bigint as row_count
    from counted_span as wanted
    inner join night on wanted.is_beside_nights or night.place = 0
    cross join counted_environment
),
usual as (
    select kind, percentile_disc(0.5) within group (order by row_count) as row_count
    from (
        select kind, row_count, row_number() over (partition by kind order by place) as recency
        from counted
        where place > 0
            and is_beside_nights
            and row_count > 0
    ) as past
    where recency <= 14
    group by kind
    having count(*) >= 5
),
-- Batches since the last complete night, even one of the same day.
recent as materialized (
    select batches.*, last_night.as_of as since
    from (
        select max(as_of) as as_of
        from runs
        where job = 'nightly'
            and is_complete(verdict)
            and as_of < :'as_of'::timestamptz
    ) as last_night
    inner join batches on batches.known_at > last_night.as_of
    where batches.known_at <= :'as_of'::timestamptz
),
-- Items read in these batches, if none or next to none of them count, and fewer than a fifth of the usual number.
-- Re-verified evidence is in batches of another kind.
untaken as (
    select read_items.kind, read_items.since, read_items.item_count, counting.row_count as taken_count
    from (
        select wanted.kind, recent.since, sum(recent.accepted_count + recent.parked_count)::bigint as item_count
        from wanted
        inner join recent on recent.kind = wanted.kind
        where wanted.kind in ('orders', 'apple')
            and (wanted.max_age is not null or wanted.rows_min > 0)
        group by wanted.kind, recent.since
        having sum(recent.accepted_count + recent.parked_count) >= 5
    ) as read_items
    cross join lateral (
        select coalesce(sum(input_hours.row_count), 0)::bigint as row_count
        from input_hours
        inner join recent as taken on taken.batch_id = input_hours.batch_id
        where input_hours.kind = read_items.kind
            and input_hours.fact_hour <= :'as_of'::timestamptz
    ) as counting
    left join usual on usual.kind = read_items.kind
    where counting.row_count = 0
        or (usual.row_count >= 20 and counting.row_count * 5 < usual.row_count and counting.row_count * 20 < read_items.item_count)
),
-- The expected apps, from the settings of the latest night that started.
app_settings as (
    select settings_texts.settings
    from runs
    left join settings_texts on settings_texts.settings_sha256 = runs.settings_sha256
    where runs.job = 'nightly'
        and runs.as_of <= :'as_of'::timestamptz
    order by runs.started_at desc
    limit 1
),
-- Rows of each app per night; for tonight over the longest allowed age.
app_night as materialized (
    select wanted.kind, input_hours.bundle_id, night.place, night.clock, sum(input_hours.row_count)::bigint as row_count
    from wanted
    cross join counted_environment
    cross join night
    cross join lateral (
        select
            night.clock - case
                when night.place = 0 then greatest(wanted.span, wanted.night_span)
                else wanted.night_span
            end as begins_at
    ) as reach
    inner join input_hours
        on input_hours.kind = wanted.kind
        and (input_hours.environment = 'Production' or not counted_environment.is_production)
        and input_hours.fact_hour <= night.clock
        and input_hours.fact_hour > reach.begins_at - interval '1 hour'
        and input_hours.newest_fact_at >= reach.begins_at
    inner join batches on batches.batch_id = input_hours.batch_id
    where wanted.kind in ('orders', 'apple')
        and (wanted.max_age is not null or wanted.rows_min > 0)
        and batches.known_at <= night.clock
    group by wanted.kind, input_hours.bundle_id, night.place, night.clock
),
-- Nights after an app's last input do not count, since its silence would otherwise excuse itself.
silent_app as materialized (
    select app_input.kind, app_input.bundle_id, percentile_disc(0.5) within group (order by app_input.row_count) as row_count
    from (
        select
            app_night.*,
            app_night.place - min(app_night.place) over (partition by app_night.kind, app_night.bundle_id) as recency,
            min(app_night.place) over (partition by app_night.kind, app_night.bundle_id) as last_place
        from app_night
    ) as app_input
    where app_input.recency < 14
    group by app_input.kind, app_input.bundle_id, app_input.last_place
    having app_input.last_place > 0
        and count(*) >= 10
        and count(*) = (select least(14, max(night.place) - app_input.last_place + 1) from night)
        and percentile_disc(0.5) within group (order by app_input.row_count) >= 20
),
silence as (
    select
        kind, count(*) as app_count,
        string_agg(bundle_id || ' (' || row_count || ')', ', ' order by bundle_id) filter (where place <= 3) as names
    from (
        select silent_app.*, row_number() over (partition by silent_app.kind order by silent_app.bundle_id) as place
        from silent_app
        inner join app_settings on strpos(E'\n' || app_settings.settings, E'\napps.' || silent_app.bundle_id || '.time_zone: ') > 0
    ) as named
    group by kind
),
newest as materialized (
    select
        wanted.kind,
        case
            when wanted.kind in ('orders', 'apple') then (
                select least(input_hours.newest_fact_at, :'as_of'::timestamptz)
                from input_hours
                inner join batches on batches.batch_id = input_hours.batch_id
                where input_hours.kind = wanted.kind
                    and (input_hours.environment = 'Production' or not counted_environment.is_production)
                    and input_hours.fact_hour <= :'as_of'::timestamptz
                    and batches.known_at <= :'as_of'::timestamptz
                order by input_hours.fact_hour desc, input_hours.newest_fact_at desc
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
        -- The newest sandbox input, reported when only Production input is missing.
        (
            select max(input_hours.newest_fact_at)
            from input_hours
            inner join batches on batches.batch_id = input_hours.batch_id
            where counted_environment.is_production
                and input_hours.kind = wanted.kind
                and input_hours.environment <> 'Production'
                and input_hours.fact_hour <= :'as_of'::timestamptz
                and batches.known_at <= :'as_of'::timestamptz
        ) as aside_at,
        exists (
            select 1
            from batches
            where batches.kind = wanted.kind
                and batches.known_at <= :'as_of'::timestamptz
                and batches.input_count > 0
        ) as was_read
    from wanted
    cross join counted_environment
),
assessed as materialized (
    select
        wanted.*, newest.newest_at, newest.aside_at, newest.was_read, counted.row_count, tonight.row_count as night_count,
        case when usual.row_count >= 20 then usual.row_count end as usual_count,
        case
            when newest.newest_at is null then case when wanted.is_needed then 'never' else 'fresh' end
            when :'as_of'::timestamptz - newest.newest_at > wanted.max_age then 'old'
            when counted.row_count < wanted.rows_min then 'few'
            when usual.row_count >= 20 and tonight.row_count * 5 < usual.row_count
                and (wanted.max_age is not null or wanted.rows_min > 0)
                then 'few'
            when silence.app_count > 0 then 'few'
            when untaken.item_count > 0 then 'few'
            else 'fresh'
        end as state,
        silence.app_count, silence.names, untaken.item_count as untaken_count, untaken.taken_count, untaken.since as untaken_since
    from wanted
    inner join newest on newest.kind = wanted.kind
    inner join counted on counted.kind = wanted.kind and counted.place = 0 and not counted.is_beside_nights
    inner join counted as tonight on tonight.kind = wanted.kind and tonight.place = 0 and tonight.is_beside_nights
    left join usual on usual.kind = wanted.kind
    left join silence on silence.kind = wanted.kind
    left join untaken on untaken.kind = wanted.kind
),
described as materialized (
    select
        assessed.*, duration_text(span) as span_text, duration_text(night_span) as night_text,
        case when aside_at > coalesce(newest_at, '-infinity') then '; what came since is not of Production' else '' end as aside,
        kind || ' input was read, ' || untaken_count || ' items since the night of ' || rfc3339(untaken_since)
            || case
                when taken_count = 0 then ', and nothing of it up to this clock could be taken'
                else ', and only ' || taken_count || ' rows of it up to this clock could be taken'
            end
            || case
                when kind = 'apple' then '; the trusted roots or the apps of the settings are not those of the feed, or it is not Apple''s'
                else '; payrecon deadletter list says why'
            end as untaken
    from assessed
)
select
    kind, state,
    rfc3339(newest_at) as newest_at,
    rfc3339(case when state = 'old' then newest_at + max_age else :'as_of'::timestamptz end) as stale_at,
    concat_ws('; ', case
        when state = 'never' and was_read
            then kind || ' input was read, and nothing of it up to this clock '
            || case when aside_at is null then 'could be taken' else 'is of Production' end
        when state = 'never' then 'no ' || kind || ' input was ever read'
        when state = 'old' then kind || ' input is late: the newest of it is of ' || rfc3339(newest_at)
            || ', more than ' || span_text || ' before the clock' || aside
        when state = 'few' and row_count < rows_min
            then kind || ' input is too little: ' || row_count || ' rows in ' || span_text || ', fewer than the least of '
            || rows_min
        when state = 'few' and app_count > 0 and not night_count * 5 < coalesce(usual_count, 0)
            then kind || ' input is too little: nothing in ' || duration_text(greatest(span, night_span)) || ' of ' || names
            || case when app_count > 3 then ' and ' || app_count - 3 || ' other apps' else '' end
            || ', of which every complete night had some until it fell silent (in brackets: how many nights usually have)'
        when state = 'few' and night_count * 5 < usual_count
            then kind || ' input is too little: ' || night_count || ' rows in ' || night_text
            || ', less than a fifth of the ' || usual_count || ' that nights usually have'
        when state = 'few' then null
        when newest_at is null then 'none was read, and none is needed'
        else 'the newest of it is of ' || rfc3339(newest_at) || '; ' || row_count || ' rows in ' || span_text
    end, case when state in ('old', 'few') then untaken end) as reason,
    untaken is not null as is_untaken
from described
order by place;
