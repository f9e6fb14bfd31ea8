-- purpose: forgets what match runs decided, where everything is looked at.
-- parameters: none
-- grain:   one row per some thousand orders or chains
delete from undetected;
