-- purpose: lets one host at a time evaluate a job's windows, until the end of the transaction.
-- parameters: job (text)
-- grain:   one row
select pg_advisory_xact_lock(hashtextextended(:'job'::text, 706)) is null as is_locked;
