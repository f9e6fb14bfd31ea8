-- purpose: rungs by which a match may be granted.
-- grain:   one row per rung
select rung
from rungs
where confidence is not null
order by rung;
