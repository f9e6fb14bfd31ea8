-- purpose: the names by which rules read tokens are free again.
-- grain:   that of each view
drop view rule_token_chain, rule_shared_token;
