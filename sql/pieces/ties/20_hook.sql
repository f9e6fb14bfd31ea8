-- purpose: hooks each label to the lowest label that it is tied to.
-- grain:   one row per hooked label
create temp table cut_hook on commit drop as
select near.label, min(near.root) as root
from (
    select greatest(one, other) as label, least(one, other) as root
    from cut_tie
) as near
group by near.label;
analyze cut_hook;
