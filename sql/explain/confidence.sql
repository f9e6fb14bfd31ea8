-- purpose: how sure a match by a rung is.
-- parameters: rung (text)
-- grain:   one row; none for an unknown rung
select confidence
from rungs
where rung = :'rung'::text
    and confidence is not null;
