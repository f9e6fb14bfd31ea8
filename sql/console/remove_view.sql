-- purpose: deletes a saved filter of the acting account.
-- parameters: name (text)
-- grain:   one row; none if it has no filter of that name
delete from console_views
where console_views.account = acting_account()
    and console_views.name = :'name'::text;
