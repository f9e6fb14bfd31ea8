-- purpose: records a delivery attempt: the events are delivered, given up after the last attempt, or retried. The next
--          attempt follows after a doubled pause or at the time that the receiver stated. An event whose receiver is gone
--          is not given up.
-- parameters: webhook, answer (text), event_ids (text[]), is_taken (boolean), tries_max (bigint), pause,
--             pause_max (bigint): seconds; retry_after (bigint): seconds, null if not stated; gone_sha256 (text): hash of
--             the receiver's settings, null unless it is gone
-- grain:   one row per event
update webhook_posts as posts
set
    try_count = posts.try_count + 1,
    last_answer = :'answer'::text,
    next_at = statement_timestamp() + make_interval(
        secs => coalesce(
            :'retry_after'::bigint, least(:'pause'::bigint * 2::double precision ^ posts.try_count, :'pause_max'::bigint)
        )
    ),
    gone_sha256 = :'gone_sha256'::text,
    outcome = case
        when :'is_taken'::boolean then 'taken'
        when posts.try_count + 1 >= :'tries_max'::bigint and :'gone_sha256'::text is null then 'given_up'
    end,
    ended_at = case
        when
            :'is_taken'::boolean or (posts.try_count + 1 >= :'tries_max'::bigint and :'gone_sha256'::text is null)
            then clock_timestamp()
    end
where posts.webhook = :'webhook'::text
    and posts.event_id = any(:'event_ids'::text[]);
