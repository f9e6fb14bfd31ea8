-- purpose: creates or changes a console account, for the owner of the schema.
-- parameters: act (text): add, change, disable, password, unlock or address; account, role, salt, verifier, actor,
--             mail_address (text), inboxes (text[]), as_of (timestamptz); what an act does not need is ignored
-- grain:   one row: 1 if the act was done; 0 if a new account's name is taken, else if there is no such active account
select console_manage_account(
    :'act'::text, :'account'::text, :'role'::text, :'inboxes'::text[], :'salt'::text, :'verifier'::text, :'actor'::text,
    :'mail_address'::text, :'as_of'::timestamptz
);
