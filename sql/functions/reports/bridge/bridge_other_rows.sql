-- purpose: Returns the rows of the audit bridge other than orders, charges and units of cells: units consumed by steps,
--          proceeds of cells, Apple's lines, payments, and bank credits; see bridge_rows.sql.
-- grain:   one row per line and part of a cell, cell, line of a report, payment or credit
create or replace function payrecon.bridge_other_rows() returns table (
    line_no integer, currency text, kind text, id text, detail text, count numeric, amount numeric
)
language sql stable parallel safe
as $$
    with run as materialized (
        select tieouts.fiscal_period, tieouts.as_of, tieouts.files
        from payrecon.tieouts
        where tieouts.fiscal_period = payrecon.viewed_period()
            and tieouts.as_of = payrecon.viewed_at()
    ),
    payment as (
        select
            -- An estimate owes nothing yet.
            tieout_payments.*, tieout_payments.region_name is not null and not tieout_payments.is_estimate as is_reported,
            payrecon.withheld_of(
                tieout_payments.brought_forward, tieout_payments.earned_payment, tieout_payments.input_tax,
                tieout_payments.adjustments, tieout_payments.withholding_tax, tieout_payments.total_owed
            ) as withheld,
            bool_or(tieout_payments.region_name is not null and not tieout_payments.is_estimate) over () as is_any_reported
        from run
        inner join payrecon.tieout_payments using (fiscal_period, as_of)
    ),
    -- Each payment row at the printed rate.
    exchanged as (
        select
            entry.region, entry.name as region_name, entry.bank_currency, coalesce(entry.proceeds, 0) as proceeds,
            payrecon.at_printed_rate(
                entry.total_owed,
                coalesce(entry.rate_printed, payrecon.derived_rate(entry.proceeds, entry.total_owed), 1),
                entry.bank_currency
            ) as at_printed_rate
        from payrecon.printed_payments() as entry
        where entry.is_paid
            and not entry.is_before
            and entry.bank_currency is not null
    ),
    -- One credit may cover several regions.
    credit as (
        select distinct payment.bank_currency, payment.bank_reference, payment.paid_on, payment.bank_amount
        from payment
        where payment.bank_amount is not null
    )
    -- Units of a cell that each step consumed.
    select entry.line_no, cell.currency, 'cell', cell.cell_id, concat_ws(' ', part.cause, payrecon.english(part.detail)), part.units,
        case part.cause when 'unit price' then -part.amount else part.amount end
    from run
    inner join payrecon.tieout_parts as part using (fiscal_period, as_of)
    inner join payrecon.bridge_cells() as cell on cell.cell_id = part.cell_id
    inner join (values
        (16, 'T1', -1), (17, 'T1', 1), (18, 'T2', 0), (19, 'T14', 0), (20, 'T18', 0), (20, 'unit price', 0),
        (21, 'T3', 0), (21, 'T5', 0), (21, 'T17', 0),
        (22, 'T4', 0), (23, 'T13', 0), (24, 'T12', 0), (25, 'T16', 0)
    ) as entry (line_no, cause, side)
        on entry.cause = part.cause
        and entry.side in (0, sign(part.units * cell.sign))
    union all
    -- The rates of the settings, over the cells of line 31.
    select entry.line_no, bridge.currency, 'settings', 'finance.tax', bridge.label, null, entry.sign * bridge.amount
    from run
    inner join payrecon.tieout_bridge as bridge using (fiscal_period, as_of)
    cross join (values (32, 1), (33, -1)) as entry (line_no, sign)
    where bridge.line_no = 32
    union all
    select 33, cell.currency, 'cell', cell.cell_id, cell.detail, null, cell.l3_extended - cell.l3_units * cell.price
    from payrecon.bridge_cells() as cell
    where cell.l3_units <> 0
        and cell.proceeds_currency = cell.currency
    union all
    select 34, cell.proceeds_currency, 'cell', cell.cell_id, cell.detail, cell.l3_units, cell.l3_extended
    from payrecon.bridge_cells() as cell
    where cell.l3_units <> 0
        and cell.proceeds_currency <> cell.currency
    union all
    select
        entry.line_no, line.partner_share_currency, 'report line', payrecon.bytes_of_file(line.file_sha256) || ':' || line.line,
        concat_ws(' ', line.sku, line.country_of_sale, line.transaction_date), line.quantity, line.extended_partner_share
    from run
    inner join payrecon.finance_lines as line on line.file_sha256 = any(run.files)
    cross join lateral (values
        (35, not coalesce(payrecon.is_in_app_purchase(line.product_type), false)), (36, true)
    ) as entry (line_no, is_of_line)
    where entry.is_of_line
    union all
    select
        entry.line_no, payment.currency, 'payment', payment.region, coalesce(payment.region_name, 'no payment yet'), null, entry.amount
    from payment
    cross join lateral (values
        (
            37, payment.is_any_reported,
            coalesce(case when payment.is_reported then payment.earned_payment end, 0)
            - coalesce(payment.earned_detail, payment.earned_financial, 0)
        ),
        (38, payment.is_reported, coalesce(payment.brought_forward, 0)), (39, payment.is_reported, coalesce(payment.input_tax, 0)),
        (40, payment.is_reported, coalesce(payment.adjustments, 0)), (41, payment.is_reported, payment.withheld),
        (42, payment.is_reported and not coalesce(payment.is_paid, false), -coalesce(payment.total_owed, 0)),
        (
            43, payment.is_reported,
            coalesce(payment.total_owed, 0) - coalesce(payment.brought_forward, 0) - coalesce(payment.earned_payment, 0)
            - coalesce(payment.input_tax, 0) - coalesce(payment.adjustments, 0) - payment.withheld
        ),
        (44, payment.is_reported and coalesce(payment.is_paid, false), coalesce(payment.total_owed, 0))
    ) as entry (line_no, is_of_line, amount)
    where entry.is_of_line
    union all
    select 45, entry.currency, 'payment', entry.region, entry.names, null, entry.brought - entry.carried
    from payrecon.carried_lines() as entry
    where entry.brought <> entry.carried
    union all
    select
        entry.line_no, exchanged.bank_currency, 'payment', exchanged.region, exchanged.region_name,
        null, entry.amount
    from exchanged
    cross join lateral (values
        (51, exchanged.at_printed_rate), (52, exchanged.proceeds - exchanged.at_printed_rate), (53, exchanged.proceeds),
        (54, -exchanged.proceeds), (55, 0)
    ) as entry (line_no, amount)
    union all
    select
        entry.line_no, credit.bank_currency, 'bank line', credit.bank_reference, 'paid on ' || credit.paid_on,
        null, credit.bank_amount
    from credit
    cross join (values (54), (55)) as entry (line_no)
$$;
