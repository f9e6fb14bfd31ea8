-- purpose: each label that is tied to a lower one hangs on to the lowest of these.
-- grain:   one row per label that hangs on
create temp table cut_hook on commit drop as
select near.label, min(near.root) as root
from (
    select greatest(one, other) as label, least(one, other) as root
    from cut_tie
) as near
group by near.label;
analyze cut_hook;
