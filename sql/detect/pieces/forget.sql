-- purpose: removes the findings of a detect run's partitions, once they are recorded or obsolete.
-- grain:   one row per difference
delete from piece_breaks;
