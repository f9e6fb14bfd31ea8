-- purpose: the holder of an advisory lock of this database, and the start of its session.
-- parameters: key (bigint)
-- grain:   at most one row; started_at is null if the login may not see other sessions
select
    pg_stat_activity.pid, pg_stat_activity.application_name, pg_stat_activity.usename::text as login,
    rfc3339(date_trunc('second', pg_stat_activity.backend_start)) as started_at
from pg_locks
inner join pg_stat_activity on pg_stat_activity.pid = pg_locks.pid
where pg_locks.locktype = 'advisory'
    and pg_locks.granted
    and pg_locks.objsubid = 1
    and pg_locks.database = (select oid from pg_database where datname = current_database())
    and pg_locks.classid::bigint = (:'key'::bigint >> 32)
    and pg_locks.objid::bigint = (:'key'::bigint & 4294967295)
limit 1;
