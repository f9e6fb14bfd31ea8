-- purpose: deletes posts that were delivered or given up long ago.
-- parameters: days (integer)
-- grain:   one row per post
delete from webhook_posts
where webhook_posts.ended_at < clock_timestamp() - make_interval(days => :'days'::integer);
