-- purpose: removes non-renewing products from our side on days with only a SUBSCRIBER report, which lists auto-renewable
--          subscriptions alone.
-- grain:   one row per removed cell
delete from tie_l1
where exists (
        select 1
        from tie_period
        where tie_period.fiscal_period = tie_l1.fiscal_period
            and tie_period.source = 'SUBSCRIBER'
    )
    and tie_l1.line_no in (
        select tie_line.line_no
        from tie_line
        where tie_line.sku not in (select charges.product_id from charges where charges.type = 'auto_renewable')
    );
