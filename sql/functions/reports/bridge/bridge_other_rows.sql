-- purpose: what the lines of the auditors' bridge add up besides orders, charges and the units of cells: what steps took of cells, their
--          proceeds, Apple's lines, payments, and what the bank has; see bridge_rows.sql.
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
            -- Of an estimate nothing is owed yet.
            tieout_payments.*, tieout_payments.region_name is not null and not tieout_payments.is_estimate as is_told,
            payrecon.withheld_of(
                tieout_payments.brought_forward, tieout_payments.earned_payment, tieout_payments.input_tax,
                tieout_payments.adjustments, tieout_payments.withholding_tax, tieout_payments.total_owed
            ) as withheld,
            bool_or(tieout_payments.region_name is not null and not tieout_payments.is_estimate) over () as is_any_told
        from run
        inner join payrecon.tieout_payments
            on tieout_payments.fiscal_period = run.fiscal_period
            and tieout_payments.as_of = run.as_of
    ),
    -- Each row of the payment at the rate that is printed.
    exchanged as (
        select
            told.region, told.name as region_name, told.bank_currency, coalesce(told.proceeds, 0) as proceeds,
            payrecon.at_printed_rate(
                told.total_owed, coalesce(told.rate_printed, payrecon.derived_rate(told.proceeds, told.total_owed), 1), told.bank_currency
            ) as at_printed_rate
        from payrecon.printed_payments() as told
        where told.is_paid
            and not told.is_before
            and told.bank_currency is not null
    ),
    -- One credit may be of several regions.
    credit as (
        select distinct payment.bank_currency, payment.bank_reference, payment.paid_on, payment.bank_amount
        from payment
        where payment.bank_amount is not null
    )
    -- What each step took of a cell.
    select told.line_no, cell.currency, 'cell', cell.cell_id, concat_ws(' ', part.cause, part.detail), part.units,
        case part.cause when 'unit price' then -part.amount else part.amount end
    from run
    inner join payrecon.tieout_parts as part
        on part.fiscal_period = run.fiscal_period
        and part.as_of = run.as_of
    inner join payrecon.bridge_cells() as cell on cell.cell_id = part.cell_id
    inner join (values
        (16, 'T1', -1), (17, 'T1', 1), (18, 'T2', 0), (19, 'T14', 0), (20, 'T18', 0), (20, 'unit price', 0),
        (21, 'T3', 0), (21, 'T5', 0), (21, 'T17', 0),
        (22, 'T4', 0), (23, 'T13', 0), (24, 'T12', 0), (25, 'T16', 0)
    ) as told (line_no, cause, side)
        on told.cause = part.cause
        and told.side in (0, sign(part.units * cell.sign))
    union all
    -- The rates of the settings, over the cells of line 31.
    select told.line_no, bridge.currency, 'settings', 'finance.tax', bridge.label, null, told.sign * bridge.amount
    from run
    inner join payrecon.tieout_bridge as bridge
        on bridge.fiscal_period = run.fiscal_period
        and bridge.as_of = run.as_of
        and bridge.line_no = 32
    cross join (values (32, 1), (33, -1)) as told (line_no, sign)
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
        told.line_no, line.partner_share_currency, 'report line', payrecon.bytes_of_file(line.file_sha256) || ':' || line.line,
        concat_ws(' ', line.sku, line.country_of_sale, line.transaction_date), line.quantity, line.extended_partner_share
    from run
    inner join payrecon.finance_lines as line on line.file_sha256 = any(run.files)
    cross join lateral (values
        (
            35,
            not coalesce(
                (line.product_type like 'IA%' or line.product_type like 'FI%') and line.product_type not like 'IA3%', false
            )
        ), (36, true)
    ) as told (line_no, is_of_line)
    where told.is_of_line
    union all
    select
        told.line_no, payment.currency, 'payment', payment.region, coalesce(payment.region_name, 'no payment yet'), null, told.amount
    from payment
    cross join lateral (values
        (
            37, payment.is_any_told,
            coalesce(case when payment.is_told then payment.earned_payment end, 0)
            - coalesce(payment.earned_detail, payment.earned_financial, 0)
        ),
        (38, payment.is_told, coalesce(payment.brought_forward, 0)), (39, payment.is_told, coalesce(payment.input_tax, 0)),
        (40, payment.is_told, coalesce(payment.adjustments, 0)), (41, payment.is_told, payment.withheld),
        (42, payment.is_told and not coalesce(payment.is_paid, false), -coalesce(payment.total_owed, 0)),
        (
            43, payment.is_told,
            coalesce(payment.total_owed, 0) - coalesce(payment.brought_forward, 0) - coalesce(payment.earned_payment, 0)
            - coalesce(payment.input_tax, 0) - coalesce(payment.adjustments, 0) - payment.withheld
        ),
        (44, payment.is_told and coalesce(payment.is_paid, false), coalesce(payment.total_owed, 0))
    ) as told (line_no, is_of_line, amount)
    where told.is_of_line
    union all
    select 45, told.currency, 'payment', told.region, told.names, null, told.brought - told.carried
    from payrecon.carried_lines() as told
    where told.brought <> told.carried
    union all
    select
        told.line_no, exchanged.bank_currency, 'payment', exchanged.region, exchanged.region_name,
        case when told.line_no = 55 then 0 end, told.amount
    from exchanged
    cross join lateral (values
        (51, exchanged.at_printed_rate), (52, exchanged.proceeds - exchanged.at_printed_rate), (53, exchanged.proceeds),
        (54, -exchanged.proceeds), (55, 0)
    ) as told (line_no, amount)
    union all
    select
        told.line_no, credit.bank_currency, 'bank line', credit.bank_reference, 'paid on ' || credit.paid_on,
        case when told.line_no = 55 then 1 end, credit.bank_amount
    from credit
    cross join (values (54), (55)) as told (line_no)
$$;
