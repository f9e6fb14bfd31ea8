-- purpose: forgets what match runs decided, where everything is looked at.
-- parameters: none
-- grain:   one row per some thousand ids of one kind
delete from undetected;
