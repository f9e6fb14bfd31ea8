-- purpose: makes an account of the console.
-- parameters: account, role, salt, verifier, added_by (text), inboxes (text[]), as_of (timestamptz)
-- grain:   one row, or none when the name is taken
insert into console_accounts (name, role, inboxes, salt, verifier, added_by, added_at)
values (
    :'account'::text, :'role'::text, :'inboxes'::text[], :'salt'::text, :'verifier'::text, :'added_by'::text,
    :'as_of'::timestamptz
)
on conflict do nothing;
