-- purpose: the names by which rules read links are free again.
-- grain:   that of each view
drop view rule_link, rule_shared_token;
