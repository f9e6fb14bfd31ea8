-- purpose: name, version, size, clock and recovery state of the database.
-- grain:   one row
select
    current_database() as name,
    current_setting('server_version') as version,
    pg_size_pretty(pg_database_size(current_database())) as size,
    rfc3339(clock_timestamp()) as clock,
    pg_is_in_recovery() as is_in_recovery;
