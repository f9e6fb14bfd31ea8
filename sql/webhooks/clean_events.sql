-- purpose: deletes old events that no webhook awaits.
-- parameters: days (integer)
-- grain:   one row per event
delete from webhook_events
where webhook_events.gathered_at < clock_timestamp() - make_interval(days => :'days'::integer)
    and webhook_events.event_id not in (select posts.event_id from webhook_posts as posts);
