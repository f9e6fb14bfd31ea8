-- purpose: an erased user stays in its piece of a match run that is under way, as the pseudonym.
-- parameters: user_id, pseudonym (text)
-- grain:   one row per row changed
update piece_members
set id = :'pseudonym'::text
where kind = 'user'
    and id = :'user_id'::text;
