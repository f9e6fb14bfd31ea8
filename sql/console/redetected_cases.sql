-- purpose: cases of which a person said something about a pair that the next detection was to act on, and that is over now: what
--          it still finds waits again.
-- parameters: as_of (timestamptz)
-- grain:   one row per case
select distinct case_decisions.case_id
from console_gathered
inner join case_decisions on case_decisions.at >= coalesce(console_gathered.detected_at, '-infinity')
where case_decisions.step = 'effective'
    and case_decisions.action in ('forced_match', 'unmatch', 'benign_duplicate')
    and case_decisions.at <= :'as_of'::timestamptz;
