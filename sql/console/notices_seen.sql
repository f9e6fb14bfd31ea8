-- purpose: records that the acting account opened its notifications.
-- parameters: as_of (timestamptz)
-- grain:   one row
insert into console_preferences as kept (account, notices_seen_at)
values (acting_account(), :'as_of'::timestamptz)
on conflict (account) do update set notices_seen_at = greatest(kept.notices_seen_at, excluded.notices_seen_at);
