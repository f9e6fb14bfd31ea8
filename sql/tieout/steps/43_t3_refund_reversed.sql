-- purpose: T3: a refund that Apple reversed. Our side has no refund any more; Apple's reports have a return and later the
--          same sale again, each up to sixty days apart. T4 if Apple booked the return and, past the horizon, no report has
--          the sale.
-- grain:   one pair per cell of Apple's returns and sales: of the same day first, then in order of days
insert into tie_pair (cause, l1_no, l3_no, units, detail)
-- Expected lines of Apple's reports for each reversed unit: a return, and later a sale.
with event as materialized (
    select reversal.*, expected.sign, expected.day, expected.day_from, expected.day_to
    from tie_reversal as reversal
    cross join lateral (values
        (-1, reversal.refunded_on, reversal.refunded_on - 60, reversal.refunded_on + 60),
        (1, reversal.reversed_on, reversal.refunded_on, reversal.reversed_on + 60)
    ) as expected (sign, day, day_from, day_to)
),
cell as materialized (
    select
        tie_rest.cell_no, tie_rest.line_no, tie_rest.sku, tie_rest.country, tie_rest.currency, tie_rest.price, tie_rest.sign,
        tie_rest.day, tie_rest.l3_left,
        -- A report without days gives only the period.
        case tie_period.source when 'FINANCIAL' then tie_period.ends_on else tie_rest.day end as last_day
    from tie_rest
    inner join tie_period on tie_period.fiscal_period = tie_rest.fiscal_period
    where tie_rest.l3_left > 0
),
same_day as materialized (
    select ranked.*
    from (
        select
            event.*, cell.cell_no, cell.l3_left,
            row_number() over (partition by cell.cell_no order by event.charge_id, event.number) as rank
        from event
        inner join cell using (sku, country, currency, price, sign, day)
    ) as ranked
    where ranked.rank <= ranked.l3_left
),
late_event as materialized (
    select
        event.*,
        row_number() over (
            partition by event.sku, event.country, event.currency, event.price, event.sign
            order by event.day, event.charge_id, event.number
        ) as rank
    from event
    where not exists (
        select 1
        from same_day
        where same_day.charge_id = event.charge_id
            and same_day.number = event.number
            and same_day.sign = event.sign
    )
),
late_cell as materialized (
    select near.*, sum(near.units) over (partition by near.line_no order by near.day, near.cell_no) as upto
    from (
        select distinct cell.*, cell.l3_left - coalesce(used.units, 0) as units
        from cell
        left join (select same_day.cell_no, count(*) as units from same_day group by same_day.cell_no) as used
            on used.cell_no = cell.cell_no
        inner join late_event using (sku, country, currency, price, sign)
        where cell.l3_left > coalesce(used.units, 0)
            and cell.last_day >= late_event.day_from
            and cell.day <= late_event.day_to
    ) as near
),
paired_line as materialized (
    select
        same_day.charge_id, same_day.number, same_day.sign, same_day.refunded_on, same_day.reversed_on, same_day.cell_no
    from same_day
    union all
    select
        late_event.charge_id, late_event.number, late_event.sign, late_event.refunded_on, late_event.reversed_on, late_cell.cell_no
    from late_event
    inner join late_cell using (sku, country, currency, price, sign)
    where late_event.rank > late_cell.upto - late_cell.units
        and late_event.rank <= late_cell.upto
        and late_cell.last_day >= late_event.day_from
        and late_cell.day <= late_event.day_to
),
-- A sale is the reversal of a refund if its return is in a report or before the evaluated days.
sale_line as (
    select paired_line.charge_id, paired_line.number, paired_line.cell_no, paired_line.refunded_on
    from paired_line
    cross join tie_run
    left join paired_line as return_line
        on (return_line.charge_id, return_line.number, return_line.sign) = (paired_line.charge_id, paired_line.number, -1)
    where paired_line.sign = 1
        and (return_line.cell_no is not null or paired_line.refunded_on < tie_run.day_from)
),
return_outcome as (
    select
        return_line.cell_no, return_line.reversed_on,
        -- Days after the evaluated range are left to the next tie-out.
        sale_line.cell_no is null
        and tie_period.is_settled
        and return_line.reversed_on <= tie_run.day_to - 7 as is_lost
    from paired_line as return_line
    cross join tie_run
    inner join tie_period on return_line.reversed_on between tie_period.starts_on and tie_period.ends_on
    left join sale_line on sale_line.charge_id = return_line.charge_id and sale_line.number = return_line.number
    where return_line.sign = -1
)
select
    case when return_outcome.is_lost then 'T4' else 'T3' end, null::bigint, return_outcome.cell_no, count(*),
    phrase(
        case when return_outcome.is_lost then 'detail.reversal_lost' else 'detail.reversal_later' end,
        'day', min(return_outcome.reversed_on)::text
    )
from return_outcome
group by return_outcome.cell_no, return_outcome.is_lost
union all
select 'T3', null, sale_line.cell_no, count(*), phrase('detail.reversed_refund_of', 'day', min(sale_line.refunded_on)::text)
from sale_line
group by sale_line.cell_no;
