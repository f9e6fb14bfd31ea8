-- purpose: stores the units that each step consumed of the period's cells, with the cell of the other side. The cause `unit
--          price` is the cost of our charges beyond their rounded unit price: three coins for 10.00 are 3.33 each, and 0.01
--          more.
-- grain:   one row per cell, cause and other cell
insert into payrecon.tieout_parts (fiscal_period, as_of, cell_id, cause, counter_cell_id, units, amount, detail)
select
    tie_result.fiscal_period, tie_run.as_of, tie_result.cell_id, tie_part.cause,
    case when counter.cell_no is null then '' else cell_id_of(
        counter.fiscal_period, counter.sku, counter.country, counter.currency, counter.price, counter.sign, counter.day
    ) end,
    sum(tie_part.units)::bigint * tie_result.sign, sum(tie_part.units) * tie_result.sign * tie_result.price,
    (array_agg(tie_part.detail order by english(tie_part.detail) collate "C"))[1]
from tie_part
inner join tie_result on tie_result.cell_no = tie_part.cell_no
cross join tie_run
left join tie_cell as counter on counter.cell_no = tie_part.counter_no
group by 1, 2, 3, 4, 5, tie_result.sign, tie_result.price
union all
select
    tie_result.fiscal_period, tie_run.as_of, tie_result.cell_id, 'unit price', '', 0,
    (tie_result.l1_amount - tie_result.l1_units * tie_result.price) * tie_result.sign, phrase('detail.undivided_price')
from tie_result
cross join tie_run
where tie_result.l1_amount <> tie_result.l1_units * tie_result.price;
