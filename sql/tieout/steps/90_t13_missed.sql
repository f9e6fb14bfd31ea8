-- purpose: T13: a sale of one of our products, in a storefront and currency in which we sold it, of which no evidence came. Charges of
--          days before those that are looked at nobody asked for; and one whose price nobody told may be that sale.
-- parameters: none
-- grain:   one pair per cell of Apple's sales
insert into tie_pair (cause, l1_no, l3_no, units, detail)
with unpriced as materialized (
    select tie_our_day.sku, tie_our_day.country, tie_day.cell_day, sum(tie_our_day.units)::bigint as units
    from tie_our_day
    inner join tie_day on tie_day.day = tie_our_day.day
    where tie_our_day.kind = 'unpriced'
    group by 1, 2, 3
),
missed as (
    select tie_rest.cell_no, tie_rest.l3_left - coalesce(unpriced.units, 0) as units
    from tie_rest
    left join unpriced
        on unpriced.sku = tie_rest.sku
        and unpriced.country = tie_rest.country
        and unpriced.cell_day = tie_rest.day
    where tie_rest.l3_left > 0
        and tie_rest.sign = 1
        and tie_rest.day >= (select tie_run.day_from from tie_run)
        and exists (
            select 1
            from tie_l1
            inner join tie_line on tie_line.line_no = tie_l1.line_no
            where tie_line.sku = tie_rest.sku
                and tie_line.country = tie_rest.country
                and tie_line.currency = tie_rest.currency
        )
)
select 'T13', null::bigint, missed.cell_no, missed.units, 'Apple sold it, and no evidence shows it'
from missed
where missed.units > 0;
