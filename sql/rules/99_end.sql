-- purpose: drops the views of tokens that the rules read.
-- grain:   as in each view
drop view rule_token_chain, rule_shared_token;
