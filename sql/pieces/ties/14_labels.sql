-- purpose: what becomes one: a chain or piece of evidence has the lowest label of the users that speak of its keys, or its own key for
--          one where nobody does.
-- grain:   cut_spoken one row per fact and key, with the labels of its users; cut_label one row per chain and piece of evidence, with
--          the lowest and the highest label; cut_tie one row for each two labels that are one; cut_root one row per label of these
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
-- Several users speak of one key.
select cut_held.label as one, cut_key.label as other
from cut_key
inner join cut_held on cut_held.key = cut_key.key
where cut_key.label < cut_key.last
    and cut_held.label > cut_key.label
union
-- Several users speak of one chain, or piece of evidence, by different keys.
select cut_spoken.label, cut_label.label
from cut_label
inner join cut_spoken on cut_spoken.fact = cut_label.fact
where cut_label.label < cut_label.last
    and cut_spoken.label > cut_label.label
union
-- Nobody speaks of a key of several of them.
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
