-- purpose: replaces an erased user in changes that no match run has read.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update changes
set
    first_id = case when first_id = :'user_id'::text then :'pseudonym'::text else first_id end,
    ids = array_replace(ids, :'user_id'::text, :'pseudonym'::text)
where kind = 'user'
    and :'user_id'::text = any(ids);
