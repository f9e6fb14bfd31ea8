-- purpose: Returns the rows that each line of the audit bridge aggregates: our orders and charges, the cells of the tie-out
--          with the units that its steps consumed, Apple's lines, payments, and bank credits. Each total (4, 11, 14, 27, 36,
--          44, 53, 55) is queried separately.
-- grain:   one row per line and order, charge, cell, part of a cell, report line, payment or credit; rows of 0 are included,
--          so that a line with a zero sum is shown; count is null for lines that count nothing
create or replace function payrecon.bridge_rows() returns table (
    line_no integer, currency text, kind text, id text, detail text, count numeric, amount numeric
)
language sql stable parallel safe
as $$
    select mark.line_no, booked.currency, 'order', booked.order_id, booked.kind || ', ' || booked.day,
        (mark.sign * booked.units)::numeric, mark.sign * booked.milliunits::numeric / 1000
    from payrecon.bridge_orders() as booked
    inner join payrecon.bridge_marks as mark using (kind, is_in_month, is_in_period)
    union all
    select mark.line_no, sold.currency, 'charge', sold.charge_id, sold.kind, mark.sign * sold.units,
        mark.sign * sold.milliunits::numeric / 1000
    from payrecon.bridge_charges() as sold
    inner join payrecon.bridge_charge_marks as mark on mark.kind = sold.kind
    union all
    select 10, pair.currency, 'pair', pair.order_id, 'charge ' || pair.charge_id, pair.units, pair.milliunits::numeric / 1000
    from payrecon.bridge_pairs() as pair
    union all
    select mark.line_no, cell.currency, 'cell', cell.cell_id, cell.detail, side.units, side.amount
    from payrecon.bridge_cells() as cell
    cross join lateral (values
        ('ours', cell.l1_units, cell.l1_amount), ('theirs', cell.l3_units, cell.l3_units * cell.price),
        ('open', cell.open_units, cell.open_units * cell.price),
        ('unexplained', cell.unexplained_units, cell.unexplained_units * cell.price)
    ) as side (units_of, units, amount)
    inner join payrecon.bridge_cell_marks as mark
        on mark.units_of = side.units_of
        and mark.sign in (0, cell.sign)
        and side.units <> 0
        and (not mark.is_own_currency or cell.proceeds_currency = cell.currency)
    union all
    select mark.line_no, mark.currency, mark.kind, mark.id, mark.detail, mark.count, mark.amount
    from payrecon.bridge_other_rows() as mark
$$;
