-- purpose: has whoever else says or settles something of an order and a charge wait until the transaction ends: two decisions on
--          different cases may contradict each other. Asked for after the cases (queue/hold.sql), and before what stands is read.
-- parameters: none
-- grain:   one row
select count(*) as lock_count from pg_advisory_xact_lock(1885434795);
