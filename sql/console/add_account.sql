-- purpose: creates a console account.
-- parameters: account, role, salt, verifier, added_by (text), inboxes (text[]), as_of (timestamptz)
-- grain:   one row; none if the name is taken, also by a disabled account or one that differs only in letter case
insert into console_accounts (name, role, inboxes, salt, verifier, added_by, added_at)
select
    :'account'::text, :'role'::text, :'inboxes'::text[], :'salt'::text, :'verifier'::text, :'added_by'::text,
    :'as_of'::timestamptz
where not exists (select 1 from console_accounts as taken where lower(taken.name) = lower(:'account'::text))
on conflict do nothing;
