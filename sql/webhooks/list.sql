-- purpose: delivery state of each webhook.
-- parameters: webhooks, settings_sha256s (text[]): receivers and hashes of their settings, in pairs
-- grain:   one row per webhook and state: taken, waiting, given_up, or gone for an event that the receiver answered with 410
--          under its current settings, or that belongs to no receiver any more
with post as (
    select
        posts.*,
        coalesce(
            posts.outcome,
            case
                when posts.gone_sha256 = coalesce(named.settings_sha256, posts.gone_sha256) then 'gone'
                else 'waiting'
            end
        ) as state
    from webhook_posts as posts
    left join unnest(:'webhooks'::text[], :'settings_sha256s'::text[]) as named (webhook, settings_sha256)
        on named.webhook = posts.webhook
)
select
    post.webhook, post.state, count(*) as event_count,
    rfc3339(min(events.gathered_at)) as oldest_at, max(post.try_count) as most_tries,
    rfc3339(min(post.next_at) filter (where post.ended_at is null)) as next_at,
    (array_agg(post.last_answer order by post.try_count desc, post.number asc))[1] as last_answer,
    sum(post.try_count - case when post.outcome = 'taken' then 1 else 0 end)::bigint as failed_tries
from post
inner join webhook_events as events on events.event_id = post.event_id
group by post.webhook, post.state
order by post.webhook, post.state;
