-- purpose: queues new notifications for the mail addresses of their accounts.
-- parameters: webhook (text): receiver that stands for mail; after (bigint): number of the last earlier event
-- grain:   one row per event of an account with an address
insert into webhook_posts (webhook, event_id, number)
select :'webhook'::text, events.event_id, events.number
from webhook_events as events
inner join console_mail_addresses() as person on person.account = events.data::json ->> 'account'
where events.kind = 'account.notified'
    and events.number > :'after'::bigint;
