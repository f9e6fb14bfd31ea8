-- purpose: R09 storefront arbitrage: a user buys in foreign storefronts because they are cheaper.
-- traps:   a traveller buys a few times abroad at local prices (purchases_min, and the price must be below price_percent of
--          the home price at the instant of the purchase); an expatriate always buys in one storefront; a foreign currency
--          alone is no signal. Without rates prices cannot be compared, and only the number of storefronts counts.
-- parameters: as_of (timestamptz), window (interval), purchases_min, storefronts_min, price_percent,
--             listed_max (bigint), rates (text[]): CUR:millionths of one common currency per unit of CUR
-- grain:   one signal per user (merged accounts are one)
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, currency, amount_milliunits, score, happened_at, detail, inputs
)
with rate as (
    select split_part(entry, ':', 1) as currency, split_part(entry, ':', 2)::bigint as millionths
    from unnest(:'rates'::text[]) as entry
),
sale_abroad as materialized (
    select rule_sale.*, users.home_storefront
    from rule_sale
    inner join users on users.user_id = rule_sale.user_id
    where rule_sale.storefront <> users.home_storefront
        and rule_sale.purchased_at >= :'as_of'::timestamptz - :'window'::interval
        and rule_sale.price_milliunits > 0
        and not rule_sale.is_tester
),
home_price as materialized (
    select distinct on (sale_abroad.charge_id, catalogue_prices.currency)
        sale_abroad.charge_id, catalogue_prices.currency, catalogue_prices.price_milliunits
    from sale_abroad
    inner join catalogue_prices using (bundle_id, product_id)
    where catalogue_prices.storefront = sale_abroad.home_storefront
        and catalogue_prices.valid_from <= sale_abroad.purchased_at
    order by sale_abroad.charge_id, catalogue_prices.currency, catalogue_prices.valid_from desc
),
cheap_sale as (
    select distinct sale_abroad.charge_id
    from sale_abroad
    inner join home_price on home_price.charge_id = sale_abroad.charge_id
    inner join rate as home_rate on home_rate.currency = home_price.currency
    inner join rate as sale_rate on sale_rate.currency = sale_abroad.currency
    where sale_abroad.price_milliunits::numeric * sale_rate.millionths * 100
        < home_price.price_milliunits::numeric * sale_abroad.quantity * home_rate.millionths * :'price_percent'::bigint
),
foreign_sale as (
    select sale_abroad.*, cheap_sale.charge_id is not null as is_cheap
    from sale_abroad
    left join cheap_sale on cheap_sale.charge_id = sale_abroad.charge_id
),
measured as (
    select
        min(user_id) as user_id,
        min(bundle_id) as bundle_id,
        min(home_storefront) as home_storefront,
        count(*) as foreign_count,
        count(*) filter (where is_cheap) as cheap_count,
        count(distinct storefront) as storefront_count,
        array_agg(distinct storefront order by storefront) as storefronts,
        array_agg(charge_id order by purchased_at, charge_id) as charge_ids,
        case when min(currency) = max(currency) then min(currency) end as currency,
        case when min(currency) = max(currency) then sum(price_milliunits) end as paid_milliunits,
        max(purchased_at) as last_at
    from foreign_sale
    group by person
    having count(*) >= :'purchases_min'::bigint
)
select
    'R09',
    'user',
    measured.user_id,
    measured.bundle_id,
    measured.currency,
    measured.paid_milliunits,
    greatest(measured.cheap_count, measured.storefront_count),
    measured.last_at,
    phrase('detail.arbitrage', jsonb_build_object(
        'count', measured.foreign_count, 'storefronts', to_jsonb(measured.storefronts), 'home', measured.home_storefront,
        'cheap', measured.cheap_count
    )),
    json_build_object(
        'home_storefront', measured.home_storefront, 'storefronts', to_json(measured.storefronts),
        'purchases', measured.foreign_count, 'cheap', measured.cheap_count,
        'charge_ids', to_json(measured.charge_ids[1:(:'listed_max'::bigint)::integer]),
        'last_at', rfc3339(measured.last_at)
    )::text
from measured
where measured.cheap_count >= :'purchases_min'::bigint
    or measured.storefront_count >= :'storefronts_min'::bigint;
