-- purpose: SUBSCRIBER tells of auto-renewable subscriptions alone: on a day of which there is nothing else, what does not renew is no
--          side of ours either.
-- parameters: none
-- grain:   removes cells of ours
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
        where tie_line.sku not in (
            select charges.product_id
            from charges
            where charges.type = 'auto_renewable'
        )
    );
