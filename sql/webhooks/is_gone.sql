-- purpose: whether the receiver of a webhook answered with status 410 under its current settings.
-- parameters: webhook (text), settings_sha256 (text)
-- grain:   one row
select exists (
    select 1
    from webhook_posts as posts
    where posts.webhook = :'webhook'::text
        and posts.ended_at is null
        and posts.gone_sha256 = :'settings_sha256'::text
) as is_gone;
