-- purpose: queues new events for the webhooks that subscribe to their kind.
-- parameters: after (bigint): number of the last earlier event; webhooks, kinds (text[]): pairs
-- grain:   one row per webhook and event
insert into webhook_posts (webhook, event_id, number)
select named.webhook, events.event_id, events.number
from unnest(:'webhooks'::text[], :'kinds'::text[]) as named (webhook, kind)
inner join webhook_events as events on events.kind = named.kind
where events.number > :'after'::bigint;
