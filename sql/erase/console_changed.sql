-- purpose: removes the case of an erased user from the cases to regather. Its new case is gathered at its next change.
-- parameters: user_id (text)
-- grain:   one row per row removed
delete from console_changed
where console_changed.case_id = case_id_of('user', :'user_id'::text);
