-- purpose: removes the cases of an erased user from the cases to regather. Its new cases are gathered at their next change.
-- parameters: user_id (text)
-- grain:   one row per row removed
delete from console_changed
where console_changed.case_id = any(cases_of_user(:'user_id'::text));
