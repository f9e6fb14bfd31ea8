-- purpose: cells of the lines with units left on both sides, with the input of a flow along consecutive days. A cell of
--          Apple's that settled in a later period than its day's is late.
-- grain:   one row per cell, by line, day and period; a cell of a report without days spans its period
select
    tie_cell.line_no, tie_cell.cell_no, (tie_cell.day - date '1970-01-01')::bigint as first_day,
    (tie_day.last_cell_day - date '1970-01-01')::bigint as last_day,
    tie_cell.period_no > tie_day.period_no as is_late, tie_cell.l1_units, tie_cell.l3_units,
    coalesce(tie_cell.early_units, 0) as early_units, coalesce(tie_cell.late_units, 0) as late_units
from tie_cell
inner join tie_day on tie_day.day = tie_cell.day
where tie_cell.line_no in (
        select tie_rest.line_no
        from tie_rest
        group by tie_rest.line_no
        having sum(tie_rest.l1_left) > 0
            and sum(tie_rest.l3_left) > 0
    )
    and tie_cell.period_no >= tie_day.period_no
order by tie_cell.line_no, tie_cell.day, tie_cell.period_no;
