-- purpose: T14 and T1: pairs found by a flow along consecutive days. T14: Apple has the sale on an adjacent day, because its
--          day starts at another time than the storefront's usual one. A farther day is possible if one unit of each day in
--          between moves on as well. T1: bought in one fiscal period, settled in a later one that was already read.
-- parameters: our_cells, their_cells, counts (text[])
-- grain:   one pair per cell of ours and cell of Apple's
insert into tie_pair (cause, l1_no, l3_no, units, detail)
select
    case when settled.is_later then 'T1' else 'T14' end, ours.cell_no, theirs.cell_no, pair.units,
    case
        when theirs.day = ours.day then phrase('detail.settled_in', 'period', theirs.fiscal_period)
        when their_day.last_cell_day = our_day.cell_day - 1
            then case
                when settled.is_later then phrase('detail.settled_day_before', 'period', theirs.fiscal_period)
                else phrase('detail.books_day_before')
            end
        when their_day.cell_day = our_day.last_cell_day + 1
            then case
                when settled.is_later then phrase('detail.settled_day_after', 'period', theirs.fiscal_period)
                else phrase('detail.books_day_after')
            end
        when settled.is_later then phrase('detail.settled_day_far', 'period', theirs.fiscal_period, 'day', theirs.day::text)
        else phrase('detail.books_day_far', 'day', theirs.day::text)
    end
from unnest(:'our_cells'::text[]::bigint[], :'their_cells'::text[]::bigint[], :'counts'::text[]::bigint[]) as pair (l1_no, l3_no, units)
inner join tie_cell as ours on ours.cell_no = pair.l1_no
inner join tie_cell as theirs on theirs.cell_no = pair.l3_no
inner join tie_day as our_day on our_day.day = ours.day
inner join tie_day as their_day on their_day.day = theirs.day
cross join lateral (select theirs.period_no > ours.period_no and theirs.period_no > their_day.period_no as is_later) as settled;
