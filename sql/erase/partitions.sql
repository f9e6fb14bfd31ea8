-- purpose: removes the partitions of a full run in progress, because the user's new id changes the partition of the user's component;
--          the run starts again.
-- grain:   one row per partition
delete from partitions;
