-- purpose: the case of an erased user among those to be gathered anew: its id is a hash of whom it is about.
-- parameters: user_id, pseudonym (text): the second is put nowhere, as the case is gathered under it when something is said of it
-- grain:   one row per row removed
delete from console_changed
where console_changed.case_id = case_id_of('user', :'user_id'::text)
    and :'pseudonym'::text <> '';
