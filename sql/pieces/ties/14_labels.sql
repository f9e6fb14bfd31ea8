-- purpose: initial labels of the components. A chain or evidence item takes the lowest label of the users connected to its
--          keys, or its own key if there are none.
-- grain:   cut_spoken one row per fact and key, with the labels of its users; cut_label one row per chain and evidence item,
--          with the lowest and the highest label; cut_tie one row per pair of labels to merge; cut_root one row per label of
--          these
create temp table cut_spoken on commit drop as
select cut_fact.fact, cut_fact.key, cut_key.label, cut_key.last
from cut_fact
left join cut_key on cut_key.key = cut_fact.key;
create temp table cut_label on commit drop as
select cut_spoken.fact, coalesce(min(cut_spoken.label), cut_spoken.fact) as label, max(cut_spoken.last) as last
from cut_spoken
group by cut_spoken.fact;
analyze cut_spoken, cut_label;
create temp table cut_tie on commit drop as
-- Several users share one key.
select cut_held.label as one, cut_key.label as other
from cut_key
inner join cut_held on cut_held.key = cut_key.key
where cut_key.label < cut_key.last
    and cut_held.label > cut_key.label
union
-- Several users share one chain or evidence item, by different keys.
select cut_spoken.label, cut_label.label
from cut_label
inner join cut_spoken on cut_spoken.fact = cut_label.fact
where cut_label.label < cut_label.last
    and cut_spoken.label > cut_label.label
union
-- Several chains or evidence items share a key without a user.
select lone.label, lone.low
from (
    select cut_label.label, min(cut_label.label) over (partition by cut_spoken.key) as low
    from (
        select cut_spoken.key
        from cut_spoken
        where cut_spoken.label is null
        group by cut_spoken.key
        having min(cut_spoken.fact) < max(cut_spoken.fact)
    ) as shared
    inner join cut_spoken on cut_spoken.key = shared.key
    inner join cut_label on cut_label.fact = cut_spoken.fact
) as lone
where lone.label > lone.low;
create temp table cut_root on commit drop as
select one as label, one as root
from cut_tie
union
select other, other
from cut_tie;
analyze cut_tie, cut_root;
