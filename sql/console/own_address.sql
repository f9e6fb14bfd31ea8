-- purpose: the mail address of the acting account.
-- grain:   one row: null for none
select console_own_address();
