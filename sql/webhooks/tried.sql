-- purpose: records a delivery attempt: taken, given up after the last try, or to be retried after a doubled pause.
-- parameters: webhook, answer (text), event_ids (text[]), is_taken (boolean), tries_max (bigint), pause,
--             pause_max (bigint): seconds
-- grain:   one row per event
update webhook_posts as posts
set
    try_count = posts.try_count + 1,
    last_answer = :'answer'::text,
    next_at = statement_timestamp() + make_interval(
        secs => least(:'pause'::bigint * 2::double precision ^ posts.try_count, :'pause_max'::bigint)
    ),
    outcome = case
        when :'is_taken'::boolean then 'taken' when posts.try_count + 1 >= :'tries_max'::bigint then 'given_up'
    end,
    ended_at = case when :'is_taken'::boolean or posts.try_count + 1 >= :'tries_max'::bigint then clock_timestamp() end
where posts.webhook = :'webhook'::text
    and posts.event_id = any(:'event_ids'::text[]);
