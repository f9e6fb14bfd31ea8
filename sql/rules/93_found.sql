-- purpose: the signals found by this run, for review before the rules go live.
-- parameters: row_max (bigint)
-- grain:   one row per signal
select rule, subject_kind, subject_id, user_id, score, english(detail)
from rule_judged
order by rule, subject_kind, subject_id
limit :'row_max'::bigint;
