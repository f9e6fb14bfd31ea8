-- purpose: drops the views of sql/partitions/combine.sql, whose names the decision on later changes needs.
-- grain:   as in each view
drop view match_decided, match_refused, match_second, match_ambiguous;
