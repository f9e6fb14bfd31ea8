-- purpose: whether the server has a database of a name.
-- parameters: name (text)
-- grain:   one row
select exists (select 1 from pg_database where datname = :'name'::text);
