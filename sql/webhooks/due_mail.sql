-- purpose: notifications that are due by mail: one digest per account. A digest that was tried before is tried again as it
--          was, so that its Message-ID stays the same; new notifications form the next one.
-- parameters: webhook (text): receiver that stands for mail; rows (bigint): notifications per digest
-- grain:   one row per notification, by account and in order; waiting_count is the number of those of the account, all due
with waiting as (
    select
        posts.event_id, posts.number, posts.try_count, events.data::json as data, events.subject_id, events.at,
        events.data::json ->> 'account' as account, case when posts.try_count > 0 then posts.next_at end as tried_until
    from webhook_posts as posts
    inner join webhook_events as events on events.event_id = posts.event_id
    where posts.webhook = :'webhook'::text
        and posts.ended_at is null
        and posts.next_at <= clock_timestamp()
),
digest as (
    select
        waiting.*, count(*) over (partition by waiting.account) as waiting_count,
        dense_rank() over (
            partition by waiting.account order by waiting.try_count desc, waiting.tried_until asc
        ) as digest_number,
        row_number() over (
            partition by waiting.account order by waiting.try_count desc, waiting.tried_until asc, waiting.number asc
        ) as row_number
    from waiting
)
select
    digest.account, coalesce(person.mail_address, '') as mail_address, coalesce(preferences.language, '') as language,
    digest.event_id, digest.subject_id as case_id, coalesce(digest.data ->> 'names', '') as names, digest.data ->> 'why' as why,
    digest.data ->> 'act' as act, coalesce(digest.data ->> 'action', '') as action, digest.data ->> 'by' as by_account,
    rfc3339(digest.at) as at, digest.waiting_count
from digest
left join console_mail_addresses() as person on person.account = digest.account
left join console_preferences as preferences on preferences.account = digest.account
where digest.digest_number = 1
    and digest.row_number <= :'rows'::bigint
order by digest.account, digest.number;
