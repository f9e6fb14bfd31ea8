-- purpose: the confidence of matches by a rung.
-- parameters: rung (text)
-- grain:   one row; none for an unknown rung
select confidence
from rungs
where rung = :'rung'::text
    and confidence is not null;
