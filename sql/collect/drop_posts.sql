-- purpose: removes posts whose evidence is recorded in this transaction.
-- parameters: post_ids (text[]): bigint as text
-- grain:   one row per post
delete from received_posts
where received_posts.post_id = any(:'post_ids'::text[]::bigint[]);
