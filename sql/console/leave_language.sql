-- purpose: lets the account that asks go by its browser again.
-- parameters: none
-- grain:   one row, or none where it chose no language
delete from console_languages where console_languages.account = acting_account();
