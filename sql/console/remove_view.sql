-- purpose: lets go of a filter of the account that asks.
-- parameters: name (text)
-- grain:   one row; none where it has none of that name
delete from console_views
where console_views.account = acting_account()
    and console_views.name = :'name'::text;
