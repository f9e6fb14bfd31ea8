-- purpose: discards the list of changed cases while nobody has opened the console yet.
-- grain:   one row
select console_forget_unseen();
