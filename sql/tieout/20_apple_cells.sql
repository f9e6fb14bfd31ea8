-- purpose: Apple's side by cell: lines of in-app purchases, with the proceeds per unit: one figure if all units brought the
--          same, else the average. SUBSCRIBER prints only product numbers, whose SKUs are known from other reports.
-- parameters: as_of (timestamptz)
-- grain:   tie_l3 one row per product, storefront, price, sign, day and settlement period
create temp table tie_l3 on commit drop as
with numbered as materialized (
    select finance_lines.apple_identifier, min(finance_lines.sku) as sku
    from finance_files_at(:'as_of'::timestamptz) as known
    inner join finance_lines on finance_lines.file_sha256 = known.file_sha256
    where finance_lines.sku is not null
        and exists (select 1 from tie_file where tie_file.source = 'SUBSCRIBER')
    group by finance_lines.apple_identifier
),
line as not materialized (
    select
        coalesce(finance_lines.sku, numbered.sku, finance_lines.apple_identifier, '') as sku,
        finance_lines.country_of_sale as country,
        coalesce(finance_lines.customer_currency, '') as currency,
        coalesce(abs(finance_lines.customer_price), 0) as price,
        case when finance_lines.sale_or_return = 'R' or finance_lines.quantity < 0 then -1 else 1 end as sign,
        case
            when tie_file.source = 'FINANCIAL' then tie_file.starts_on
            else finance_lines.transaction_date
        end as day,
        tie_file.fiscal_period,
        abs(finance_lines.partner_share) as share,
        finance_lines.partner_share_currency as share_currency,
        finance_lines.region, finance_lines.apple_identifier, finance_lines.order_type,
        -- A line without a day has no settlement day either.
        case when tie_file.source <> 'FINANCIAL' then finance_lines.settlement_date end as settlement_date,
        finance_lines.quantity, finance_lines.extended_partner_share
    from tie_file
    inner join finance_lines on finance_lines.file_sha256 = tie_file.file_sha256
    left join numbered
        on numbered.apple_identifier = finance_lines.apple_identifier
        and tie_file.source = 'SUBSCRIBER'
    where (
            tie_file.source = 'SUBSCRIBER'
            or is_in_app_purchase(finance_lines.product_type)
        )
        and case
            when tie_file.source in ('SALES', 'SUBSCRIBER') then finance_lines.transaction_date = tie_file.starts_on
            else tie_file.fiscal_period = (select fiscal_period from tie_run)
                or tie_file.source = 'FINANCIAL'
                or finance_lines.transaction_date between (select day_from from tie_run) and (select day_to from tie_run)
        end
),
cell as materialized (
    select
        sku, country, currency, price, sign, day, fiscal_period,
        min(region) as region,
        min(apple_identifier) as apple_identifier,
        min(order_type) as order_type,
        min(settlement_date) as settlement_from,
        max(settlement_date) as settlement_to,
        min(share) as share,
        min(share_currency) as share_currency,
        sum(abs(quantity)::bigint)::bigint as units,
        sum(extended_partner_share) as extended,
        min(order_type) <> max(order_type) is true as is_mixed,
        min(share) is distinct from max(share)
        or min(share_currency) is distinct from max(share_currency)
        or count(share) not in (0, count(*))
        or count(share_currency) not in (0, count(*)) as is_shared
    from line
    group by 1, 2, 3, 4, 5, 6, 7
),
-- Usually all units of a cell have one kind and one share. Only the exceptions are sorted, which keeps the rule fast.
share as (
    select
        line.sku, line.country, line.currency, line.price, line.sign, line.day, line.fiscal_period, line.share, line.share_currency,
        coalesce(string_agg(distinct line.order_type, ' '), '') as order_type, sum(abs(line.quantity)::bigint)::bigint as units
    from line
    inner join (select distinct sku, country, currency, day from cell where is_mixed or is_shared) as varying
        using (sku, country, currency, day)
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
),
several as (
    select
        sku, country, currency, price, sign, day, fiscal_period, min(order_type) as order_type, count(*) as share_count,
        string_agg(trim_scale(share) || ' x ' || units, ', ' order by share, share_currency) as share_counts
    from share
    group by 1, 2, 3, 4, 5, 6, 7
)
select
    cell.sku, cell.country, cell.currency, cell.price, cell.sign, cell.day, cell.fiscal_period, cell.region, cell.apple_identifier,
    coalesce(several.order_type, cell.order_type, '') as order_type, cell.settlement_from, cell.settlement_to, cell.share_currency,
    cell.units, cell.extended, coalesce(several.share_count, 1) as share_count,
    case when cell.is_shared then round(abs(cell.extended) / nullif(cell.units, 0), 10) else cell.share end as unit_share,
    case when cell.is_shared then several.share_counts else trim_scale(cell.share) || ' x ' || cell.units end as share_counts
from cell
left join several using (sku, country, currency, price, sign, day, fiscal_period);
