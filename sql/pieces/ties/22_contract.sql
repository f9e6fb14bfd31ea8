-- purpose: replaces hooked labels and their ties by their root.
-- grain:   as in each table
update cut_root
set root = cut_hook.root
from cut_hook
where cut_hook.label = cut_root.root;
create temp table cut_left on commit drop as
select distinct coalesce(one.root, cut_tie.one) as one, coalesce(other.root, cut_tie.other) as other
from cut_tie
left join cut_hook as one on one.label = cut_tie.one
left join cut_hook as other on other.label = cut_tie.other
where coalesce(one.root, cut_tie.one) <> coalesce(other.root, cut_tie.other);
drop table cut_tie, cut_hook;
alter table cut_left rename to cut_tie;
analyze cut_tie;
