-- purpose: what the rules of this run found, for a person to read before they are trusted.
-- parameters: row_max (bigint)
-- grain:   one row per suspicion
select rule, subject_kind, subject_id, user_id, score, detail
from rule_judged
order by rule, subject_kind, subject_id
limit :'row_max'::bigint;
