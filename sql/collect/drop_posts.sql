-- purpose: removes posts whose evidence is recorded in this transaction.
-- parameters: post_ids (text[]): bigint as text
-- grain:   one row per post
delete from received_notifications
where received_notifications.post_id = any(:'post_ids'::text[]::bigint[]);
