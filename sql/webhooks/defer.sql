-- purpose: defers the waiting events of a receiver to the time from which it accepts events again.
-- parameters: webhook (text), retry_after (bigint): seconds from now
-- grain:   one row per post
update webhook_posts
set next_at = greatest(webhook_posts.next_at, statement_timestamp() + make_interval(secs => :'retry_after'::bigint))
where webhook_posts.webhook = :'webhook'::text
    and webhook_posts.ended_at is null;
