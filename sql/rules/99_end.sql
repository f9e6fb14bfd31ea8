-- purpose: the names by which rules read keys are free again.
-- grain:   that of each view
drop view rule_key, rule_shared_token;
