-- purpose: events due for a webhook, in order.
-- parameters: webhook (text), rows (bigint)
-- grain:   one row per event
select posts.event_id, events.kind, events.subject_id, events.data, rfc3339(events.at) as at
from webhook_posts as posts
inner join webhook_events as events on events.event_id = posts.event_id
where posts.webhook = :'webhook'::text
    and posts.ended_at is null
    and posts.next_at <= clock_timestamp()
order by posts.number
limit :'rows'::bigint;
