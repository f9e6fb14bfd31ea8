-- purpose: discards the decisions of match runs that await detection, before a run that evaluates everything.
-- grain:   one row per some thousand ids of one kind
delete from undetected;
