-- purpose: T4: Apple took a sale back of which nobody told us: there is such a sale of ours that was not given back.
-- parameters: none
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
capable as (
    select
        theirs.cell_no, theirs.l3_left, theirs.upto,
        coalesce((
            select sum(tie_l1.kept_units)
            from tie_l1
            where tie_l1.sku = theirs.sku
                and tie_l1.country = theirs.country
                and tie_l1.currency = theirs.currency
                and tie_l1.price = theirs.price
                and tie_l1.sign = 1
                and tie_l1.day <= theirs.day + 1
        ), 0) as kept
    from theirs
)
select 'T4', null, cell_no, (least(kept, upto) - (upto - l3_left))::bigint, 'Apple took it back, and no notice told us'
from capable
where upto - l3_left < kept;
