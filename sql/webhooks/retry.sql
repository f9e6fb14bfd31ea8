-- purpose: makes undelivered posts due at once, given up or not, with a full number of tries, also if the receiver was gone.
-- parameters: webhook (text): empty for all
-- grain:   one row per post
update webhook_posts
set
    try_count = 0,
    next_at = clock_timestamp(),
    ended_at = null,
    outcome = null,
    gone_sha256 = null
where :'webhook'::text in ('', webhook_posts.webhook)
    and webhook_posts.outcome is distinct from 'taken';
