-- purpose: replaces an erased user in columns of a table.
-- parameters: table (text), columns, kinds (text[]): see functions/audit/erase_columns.sql; user_id, pseudonym, pattern (text):
--             a regular expression that finds the user id as a word
-- grain:   one row: the number of changed rows
select erase_columns(:'table'::text, :'columns'::text[], :'kinds'::text[], :'user_id'::text, :'pseudonym'::text, :'pattern'::text);
