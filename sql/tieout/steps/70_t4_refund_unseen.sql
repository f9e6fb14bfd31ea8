-- purpose: T4: an unreported refund by Apple, with an unrefunded sale of ours on that day or before it.
-- grain:   one pair per cell of Apple's returns
insert into tie_pair (cause, l1_no, l3_no, units, detail)
with theirs as (
    select
        cell_no, sku, country, currency, price, day, l3_left,
        sum(l3_left) over (partition by line_no order by day, cell_no) as upto
    from tie_rest
    where l3_left > 0
        and sign = -1
),
refundable_return as (
    select
        theirs.cell_no, theirs.l3_left, theirs.upto,
        coalesce((
            select sum(tie_l1.kept_units)
            from tie_l1
            inner join tie_line on tie_line.line_no = tie_l1.line_no
            where (tie_line.sku, tie_line.country, tie_line.currency, tie_line.price, tie_line.sign)
                = (theirs.sku, theirs.country, theirs.currency, theirs.price, 1)
                and tie_l1.day <= theirs.day
        ), 0) as kept
    from theirs
)
select 'T4', null, cell_no, (least(kept, upto) - (upto - l3_left))::bigint, phrase('detail.refund_unseen')
from refundable_return
where upto - l3_left < kept;
