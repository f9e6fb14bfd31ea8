-- purpose: what each line of the auditors' bridge adds up, one by one: our orders and charges, the cells of the tie-out and what its steps
--          took of them, Apple's lines, payments, and what the bank has. The bridge and the rows behind its figures both read it. Each
--          total (4, 11, 14, 27, 36, 44, 53, 55) is asked for by itself. Plain names: it tells of the present, or of the clock that a
--          transaction looks back to; tie-out and clock are those that are asked for.
-- grain:   one row per line and order, charge, cell, part of a cell, line of a report, payment or credit; a line whose rows add up to
--          nothing stands, so rows of 0 are told, too; count is null where a line counts nothing
create or replace function payrecon.bridge_rows() returns table (
    line_no integer, currency text, kind text, id text, detail text, count numeric, amount numeric
)
language sql stable parallel safe
as $$
    select told.line_no, booked.currency, 'order', booked.order_id, booked.kind || ', ' || booked.day,
        (told.sign * booked.units)::numeric, told.sign * booked.milliunits::numeric / 1000
    from payrecon.bridge_orders() as booked
    inner join payrecon.bridge_marks as told
        on told.kind = booked.kind
        and told.is_in_month = booked.is_in_month
        and told.is_in_period = booked.is_in_period
    union all
    select told.line_no, sold.currency, 'charge', sold.charge_id, sold.kind, told.sign * sold.units,
        told.sign * sold.milliunits::numeric / 1000
    from payrecon.bridge_charges() as sold
    inner join payrecon.bridge_charge_marks as told on told.kind = sold.kind
    union all
    select 10, pair.currency, 'pair', pair.order_id, 'charge ' || pair.charge_id, pair.units, pair.milliunits::numeric / 1000
    from payrecon.bridge_pairs() as pair
    union all
    select told.line_no, cell.currency, 'cell', cell.cell_id, cell.detail, side.units, side.amount
    from payrecon.bridge_cells() as cell
    cross join lateral (values
        ('ours', cell.l1_units, cell.l1_amount), ('theirs', cell.l3_units, cell.l3_units * cell.price),
        ('open', cell.open_units, cell.open_units * cell.price),
        ('unexplained', cell.unexplained_units, cell.unexplained_units * cell.price)
    ) as side (units_of, units, amount)
    inner join payrecon.bridge_cell_marks as told
        on told.units_of = side.units_of
        and told.sign in (0, cell.sign)
        and side.units <> 0
        and (not told.is_own_currency or cell.proceeds_currency = cell.currency)
    union all
    select told.line_no, told.currency, told.kind, told.id, told.detail, told.count, told.amount
    from payrecon.bridge_other_rows() as told
$$;
