-- purpose: delivery state of each webhook.
-- grain:   one row per webhook and state: taken, waiting, given_up
select
    posts.webhook, coalesce(posts.outcome, 'waiting') as state, count(*) as event_count,
    rfc3339(min(events.gathered_at)) as oldest_at, max(posts.try_count) as most_tries,
    rfc3339(min(posts.next_at) filter (where posts.ended_at is null)) as next_at,
    (array_agg(posts.last_answer order by posts.try_count desc, posts.number asc))[1] as last_answer,
    sum(posts.try_count - case when posts.outcome = 'taken' then 1 else 0 end)::bigint as failed_tries
from webhook_posts as posts
inner join webhook_events as events on events.event_id = posts.event_id
group by posts.webhook, coalesce(posts.outcome, 'waiting')
order by posts.webhook, state;
