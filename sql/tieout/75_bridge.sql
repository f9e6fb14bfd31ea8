-- purpose: the audit bridge except line 32: the sum of each line's rows by currency;
--          functions/reports/bridge/bridge_rows.sql lists the rows. Orders, charges and cells are aggregated before they are
--          assigned to lines, since they are many and alike.
-- planner: set local enable_sort = off
-- grain:   one row per line and currency
insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
with cell as (
    select
        currency, expected_currency as proceeds_currency, sign,
        sum(l1_units) as ours,
        count(*) filter (where l1_units <> 0) as ours_count, sum(l1_amount) filter (where l1_units <> 0) as ours_amount,
        sum(l3_units) as theirs,
        count(*) filter (where l3_units <> 0) as theirs_count, sum(l3_units * price) filter (where l3_units <> 0) as theirs_amount,
        sum(open_units) as open,
        count(*) filter (where open_units <> 0) as open_count, sum(open_units * price) filter (where open_units <> 0) as open_amount,
        sum(unexplained_units) as unexplained,
        count(*) filter (where unexplained_units <> 0) as unexplained_count,
        sum(unexplained_units * price) filter (where unexplained_units <> 0) as unexplained_amount
    from tie_result
    group by currency, expected_currency, sign
),
added as (
    select other.line_no, other.currency, sum(other.count) as count, sum(other.amount) as amount
    from bridge_other_rows() as other
    group by other.line_no, other.currency
    union all
    select mark.line_no, bridge_order.currency, mark.sign * bridge_order.units, mark.sign * bridge_order.milliunits / 1000
    from tie_bridge_order as bridge_order
    inner join bridge_marks as mark using (kind, is_in_month, is_in_period)
    union all
    select mark.line_no, bridge_charge.currency, mark.sign * bridge_charge.units, mark.sign * bridge_charge.amount
    from tie_bridge_charge as bridge_charge
    inner join bridge_charge_marks as mark on mark.kind = bridge_charge.kind
    union all
    select 10, bridge_pair.currency, bridge_pair.units, bridge_pair.amount
    from tie_bridge_pair as bridge_pair
    union all
    select mark.line_no, cell.currency, cell.sign * side.units, cell.sign * side.amount
    from cell
    cross join lateral (values
        ('ours', cell.ours_count, cell.ours, cell.ours_amount),
        ('theirs', cell.theirs_count, cell.theirs, cell.theirs_amount),
        ('open', cell.open_count, cell.open, cell.open_amount),
        ('unexplained', cell.unexplained_count, cell.unexplained, cell.unexplained_amount)
    ) as side (units_of, cell_count, units, amount)
    inner join bridge_cell_marks as mark
        on mark.units_of = side.units_of
        and mark.sign in (0, cell.sign)
        and (not mark.is_own_currency or cell.proceeds_currency = cell.currency)
    where side.cell_count > 0
)
select
    viewed_period(), viewed_at(), line.section, line.line_no, line.label, sum(added.count)::bigint, sum(added.amount), added.currency,
    line.source, line.ref
from added
inner join bridge_lines as line on line.line_no = added.line_no
where line.line_no <> 32
group by line.section, line.line_no, line.label, added.currency, line.source, line.ref;
