-- purpose: saved filters that the acting account may use: its own first, then shared ones of others.
-- parameters: rows (bigint)
-- grain:   one row per view
select views.name, views.account, views.query, views.is_shared, views.account = acting_account() as is_mine
from console_views as views
where views.account = acting_account()
    or views.is_shared
order by (views.account = acting_account()) desc, views.name, views.account
limit :'rows'::bigint;
