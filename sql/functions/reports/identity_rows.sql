-- purpose: The rows that each side of the tie-out's identities aggregates: cells with the parts of their differences, and
--          lines of the bridge.
-- grain:   one row per identity, tie-out, side (left: the total; right: its parts) and cell, part of a cell, or bridge line,
--          whose id is the address of its figure
create or replace view payrecon.identity_rows with (security_invoker = true) as
select
    cell.fiscal_period, cell.as_of, 'cells' as identity, 'Apple units - ours = explained + unexplained + not yet settled' as formula,
    cell.customer_currency as currency, side_value.side, 'cell' as kind, cell.cell_id as id,
    concat_ws(' ', cell.sku, cell.storefront, cell.transaction_day, 'at', trim_scale(cell.customer_price)) as detail,
    side_value.value::numeric as value
from payrecon.tieout_cells as cell
cross join lateral (values
    ('left', cell.l3_units - cell.l1_units), ('right', cell.unexplained_units + cell.open_units)
) as side_value (side, value)
union all
select
    part.fiscal_period, part.as_of, 'cells', 'Apple units - ours = explained + unexplained + not yet settled', cell.customer_currency,
    'right', 'cell', part.cell_id, concat_ws(' ', part.cause, payrecon.english(part.detail)), part.units
from payrecon.tieout_parts as part
inner join payrecon.tieout_cells as cell using (fiscal_period, as_of, cell_id)
union all
select
    bridge.fiscal_period, bridge.as_of, rule.identity, rule.formula, bridge.currency,
    case when bridge.line_no = rule.total then 'left' else 'right' end, 'bridge',
    concat_ws('/', bridge.fiscal_period, bridge.section, coalesce(nullif(bridge.currency, ''), '-'), bridge.line_no, 'amount'),
    bridge.label, bridge.amount
from payrecon.tieout_bridge as bridge
inner join (values
    ('bridge 4', 'orders of the month + shifts = orders of the period', 1, 4, 4),
    ('bridge 11', 'orders of the period + what is no charge = our charges', 4, 11, 11),
    ('bridge 14', 'our charges - refunds = our side of the cells', 11, 14, 14),
    ('bridge 27', 'our side + explained + UNEXPLAINED = customer value in the Apple report', 14, 27, 27),
    ('bridge 36', 'customer value - tax - commission + other = earned', 31, 36, 36),
    ('bridge 44', 'earned + tax + adjustments - withholding - carried = owed', 36, 44, 44),
    ('bridge 53', 'owed at printed rates + rounding = proceeds', 51, 53, 53),
    ('bridge 55', 'proceeds + bank differs = bank', 53, 55, 55)
) as rule (identity, formula, from_line, to_line, total) on bridge.line_no between rule.from_line and rule.to_line
where rule.total <> 44
    -- Without a payment nothing was owed.
    or exists (
        select 1
        from payrecon.tieout_bridge as owed
        where owed.fiscal_period = bridge.fiscal_period
            and owed.as_of = bridge.as_of
            and owed.currency = bridge.currency
            and owed.line_no = rule.total
    );
