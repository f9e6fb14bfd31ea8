-- purpose: records the outcome of a digest whose attempt was recorded before.
-- parameters: webhook, answer (text), event_ids (text[]), is_taken (boolean)
-- grain:   one row per notification
update webhook_posts
set
    last_answer = :'answer'::text,
    outcome = case when :'is_taken'::boolean then 'taken' else outcome end,
    ended_at = case when :'is_taken'::boolean then clock_timestamp() else ended_at end
where webhook_posts.webhook = :'webhook'::text
    and webhook_posts.event_id = any(:'event_ids'::text[]);
