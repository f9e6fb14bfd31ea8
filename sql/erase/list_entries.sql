-- purpose: list entries about an erased user hold for the pseudonym.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update list_entries
set subject_id = :'pseudonym'::text
where subject_kind = 'user'
    and subject_id = :'user_id'::text;
