-- purpose: whether pages can be served. Pages record views of cases, so a server in recovery serves none.
-- grain:   one row
select not pg_is_in_recovery() as is_ready;
