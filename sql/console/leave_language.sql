-- purpose: removes the acting account's language, so that the browser's language applies again.
-- grain:   one row; none if it chose no language
delete from console_languages where console_languages.account = acting_account();
