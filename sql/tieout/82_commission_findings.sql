-- purpose: COMMISSION_DIFF if Apple kept another part of its sales than agreed for storefront, programme and day. Default
--          rates are no agreement. The tax of the settings is first taken out of the price. A renewal may have the rate
--          after one year, and a report without days any rate of its period; the nearest rate counts. A coin, or half of the
--          last printed digit of the proceeds, is rounding.
-- grain:   one finding per product, storefront and currency with a surplus, and one per such key with a shortfall
insert into finding (class, subject_id, bundle_id, environment, currency, detail, amount_milliunits, breaks_at)
with line as materialized (
    select
        coalesce(finance_lines.sku, finance_lines.apple_identifier, '') as sku, finance_lines.customer_currency as currency,
        coalesce(home.storefront, finance_lines.country_of_sale) as storefront, finance_lines.customer_price as price,
        abs(finance_lines.partner_share) as share, finance_lines.product_type like 'IAY%' as renews,
        case tie_file.source when 'FINANCIAL' then tie_run.starts_on else finance_lines.transaction_date end as day,
        case tie_file.source when 'FINANCIAL' then tie_run.ends_on else finance_lines.transaction_date end as last_day,
        sum(finance_lines.quantity) as units, max(scale(finance_lines.partner_share)) as digits
    from tie_run
    inner join tie_file on tie_file.fiscal_period = tie_run.fiscal_period
    inner join finance_lines on finance_lines.file_sha256 = tie_file.file_sha256
    left join (
        select country, min(storefront) as storefront from storefronts group by country
    ) as home on home.country = finance_lines.country_of_sale
    where exists (select 1 from tie_rate where tie_rate.is_agreed)
        and is_in_app_purchase(finance_lines.product_type)
        and finance_lines.sale_or_return = 'S'
        and finance_lines.quantity > 0
        and finance_lines.customer_price > 0
        and finance_lines.partner_share_currency = finance_lines.customer_currency
    group by 1, 2, 3, 4, 5, 6, 7, 8
),
-- Possible rates of a sale: those agreed for its first day and, in a report without days, those that start later in its
-- period. If no rate after one year is agreed, a renewal may have any default one. Apple's default rate of the storefront is
-- right beside one that is agreed for all storefronts.
candidate as (
    select line.*, rate.part, rate.is_agreed, rate.net, rate.net * (1 - rate.part) as expected
    from line
    cross join lateral (
        select
            tie_rate.part, tie_rate.day, tie_rate.is_agreed, taxed.net,
            tie_rate.storefront > max(tie_rate.storefront) filter (where tie_rate.is_agreed) over (partition by tie_rate.kind) is not false
                as is_nearer,
            bool_or(tie_rate.kind = 'commission' and tie_rate.is_agreed) over () as is_checked,
            row_number() over (
                partition by tie_rate.kind, tie_rate.is_agreed, tie_rate.day > line.day
                order by tie_rate.storefront desc, tie_rate.day desc, tie_rate.place desc
            ) as rank
        from tie_rate
        cross join (
            select line.price / (1 + coalesce((
                select tax.part
                from tie_rate as tax
                where tax.kind = 'tax'
                    and tax.storefront in ('', line.storefront)
                    and tax.day <= line.day
                order by tax.storefront desc, tax.day desc, tax.place desc
                limit 1
            ), 0)) as net
        ) as taxed
        where tie_rate.storefront in ('', line.storefront)
            and tie_rate.day <= line.last_day
            and (tie_rate.kind = 'commission' or tie_rate.kind = 'after_one_year' and line.renews)
    ) as rate
    where rate.is_checked
        and case when rate.is_agreed then rate.rank = 1 or rate.day > line.day else rate.is_nearer end
),
judged as (
    select distinct on (sku, currency, storefront, price, share, renews, day)
        candidate.*, abs(expected - share) <= coin.rounding as is_right
    from candidate
    cross join lateral (
        select greatest(
            currency_unit(candidate.currency)::numeric / 1000, 0.5 * power(10::numeric, -candidate.digits)
        ) as rounding
    ) as coin
    order by
        sku, currency, storefront, price, share, renews, day, abs(expected - share) <= coin.rounding desc, is_agreed desc,
        abs(expected - share), part
),
difference as (
    select
        sku, storefront, currency, share < expected as is_more, sum(units) as units,
        round(abs(sum(units * (expected - share))) * 1000 / currency_unit(currency)) * currency_unit(currency) as milliunits,
        to_jsonb(array_agg(distinct trim_scale(round(100 * (1 - share / net), 2)) || ' %')) as kept,
        to_jsonb(array_agg(distinct trim_scale(100 * part) || ' %')) as agreed
    from judged
    where not is_right
        and is_agreed
    group by 1, 2, 3, 4
)
select
    'COMMISSION_DIFF',
    'commission:' || tie_run.fiscal_period || ':' || difference.sku || ':' || difference.storefront || ':' || difference.currency || ':'
    || case when difference.is_more then 'more' else 'less' end,
    own.bundle_id,
    'Production',
    difference.currency,
    phrase(
        case when difference.is_more then 'detail.commission_more' else 'detail.commission_less' end,
        jsonb_build_object(
            'period', tie_run.fiscal_period, 'units', difference.units, 'sku', difference.sku, 'storefront', difference.storefront,
            'kept', difference.kept, 'agreed', difference.agreed, 'amount', money_text(difference.milliunits, difference.currency)
        )
    ),
    least(difference.milliunits, 9000000000000000000)::bigint,
    least(tie_run.as_of, apple_midnight(tie_run.ends_on + 1))
from difference
cross join tie_run
left join (select sku, min(bundle_id) as bundle_id from tie_our_day group by sku) as own on own.sku = difference.sku;
