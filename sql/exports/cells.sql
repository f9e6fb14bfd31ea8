-- purpose: export of cells: both sides of every tied-out period, with the causes of their difference, from the tie-out that
--          reports show: the signed one of a closed period, else the newest one. The restatement has the differences to a
--          newer one. diff = Apple's side less ours = explained + unexplained + not yet settled.
-- parameters: as_of (timestamptz)
-- grain:   one row per cell
with chosen as (select latest.fiscal_period, latest.as_of from latest_tieouts(:'as_of'::timestamptz) as latest),
part as (
    select
        tieout_parts.fiscal_period, tieout_parts.cell_id,
        sum(amount) filter (where cause = 'unit price') as beside,
        sum(units) filter (where cause = 'T1') as t1_units, sum(amount) filter (where cause = 'T1') as t1_amount,
        sum(units) filter (where cause = 'T2') as t2_units, sum(amount) filter (where cause = 'T2') as t2_amount,
        sum(units) filter (where cause = 'T3') as t3_units, sum(amount) filter (where cause = 'T3') as t3_amount,
        sum(units) filter (where cause = 'T4') as t4_units, sum(amount) filter (where cause = 'T4') as t4_amount,
        sum(units) filter (where cause = 'T5') as t5_units, sum(amount) filter (where cause = 'T5') as t5_amount,
        sum(units) filter (where cause = 'T6') as t6_units, sum(amount) filter (where cause = 'T6') as t6_amount,
        sum(units) filter (where cause = 'T7') as t7_units, sum(amount) filter (where cause = 'T7') as t7_amount,
        sum(units) filter (where cause = 'T8') as t8_units, sum(amount) filter (where cause = 'T8') as t8_amount,
        sum(units) filter (where cause = 'T9') as t9_units, sum(amount) filter (where cause = 'T9') as t9_amount,
        sum(units) filter (where cause = 'T10') as t10_units, sum(amount) filter (where cause = 'T10') as t10_amount,
        sum(units) filter (where cause = 'T11') as t11_units, sum(amount) filter (where cause = 'T11') as t11_amount,
        sum(units) filter (where cause = 'T12') as t12_units, sum(amount) filter (where cause = 'T12') as t12_amount,
        sum(units) filter (where cause = 'T13') as t13_units, sum(amount) filter (where cause = 'T13') as t13_amount,
        sum(units) filter (where cause = 'T14') as t14_units, sum(amount) filter (where cause = 'T14') as t14_amount,
        sum(units) filter (where cause = 'T15') as t15_units, sum(amount) filter (where cause = 'T15') as t15_amount,
        sum(units) filter (where cause = 'T16') as t16_units, sum(amount) filter (where cause = 'T16') as t16_amount,
        sum(units) filter (where cause = 'T17') as t17_units, sum(amount) filter (where cause = 'T17') as t17_amount,
        sum(units) filter (where cause = 'T18') as t18_units, sum(amount) filter (where cause = 'T18') as t18_amount
    from chosen
    inner join tieout_parts
        on tieout_parts.fiscal_period = chosen.fiscal_period
        and tieout_parts.as_of = chosen.as_of
    group by tieout_parts.fiscal_period, tieout_parts.cell_id
)
select
    cell.fiscal_period, cell.region as region_code,
    cell.transaction_day::text as transaction_day,
    cell.settlement_from::text as settlement_from,
    cell.settlement_to::text as settlement_to,
    cell.apple_identifier, cell.sku, cell.storefront, cell.customer_currency,
    trim_scale(cell.customer_price)::text as customer_price,
    cell.sign,
    nullif(cell.order_type, '') as order_type,
    cell.l1_units, cell.l3_units,
    cell.l3_units - cell.l1_units as diff_units,
    trim_scale(cell.l1_units * cell.customer_price + coalesce(part.beside, 0))::text as l1_gross,
    trim_scale(cell.l3_units * cell.customer_price)::text as l3_gross,
    trim_scale(cell.unit_share)::text as unit_partner_share,
    cell.proceeds_currency,
    trim_scale(round(cell.l1_expected, 6))::text as l1_expected_proceeds,
    trim_scale(cell.l3_extended)::text as l3_extended_share,
    trim_scale(round(cell.l3_extended - cell.l1_expected, 6))::text as diff_proceeds,
    coalesce(part.t1_units, 0)::bigint as "explained_T1_units",
    trim_scale(coalesce(part.t1_amount, 0))::text as "explained_T1_amount",
    coalesce(part.t2_units, 0)::bigint as "explained_T2_units",
    trim_scale(coalesce(part.t2_amount, 0))::text as "explained_T2_amount",
    coalesce(part.t3_units, 0)::bigint as "explained_T3_units",
    trim_scale(coalesce(part.t3_amount, 0))::text as "explained_T3_amount",
    coalesce(part.t4_units, 0)::bigint as "explained_T4_units",
    trim_scale(coalesce(part.t4_amount, 0))::text as "explained_T4_amount",
    coalesce(part.t5_units, 0)::bigint as "explained_T5_units",
    trim_scale(coalesce(part.t5_amount, 0))::text as "explained_T5_amount",
    coalesce(part.t6_units, 0)::bigint as "explained_T6_units",
    trim_scale(coalesce(part.t6_amount, 0))::text as "explained_T6_amount",
    coalesce(part.t7_units, 0)::bigint as "explained_T7_units",
    trim_scale(coalesce(part.t7_amount, 0))::text as "explained_T7_amount",
    coalesce(part.t8_units, 0)::bigint as "explained_T8_units",
    trim_scale(coalesce(part.t8_amount, 0))::text as "explained_T8_amount",
    coalesce(part.t9_units, 0)::bigint as "explained_T9_units",
    trim_scale(coalesce(part.t9_amount, 0))::text as "explained_T9_amount",
    coalesce(part.t10_units, 0)::bigint as "explained_T10_units",
    trim_scale(coalesce(part.t10_amount, 0))::text as "explained_T10_amount",
    coalesce(part.t11_units, 0)::bigint as "explained_T11_units",
    trim_scale(coalesce(part.t11_amount, 0))::text as "explained_T11_amount",
    coalesce(part.t12_units, 0)::bigint as "explained_T12_units",
    trim_scale(coalesce(part.t12_amount, 0))::text as "explained_T12_amount",
    coalesce(part.t13_units, 0)::bigint as "explained_T13_units",
    trim_scale(coalesce(part.t13_amount, 0))::text as "explained_T13_amount",
    coalesce(part.t14_units, 0)::bigint as "explained_T14_units",
    trim_scale(coalesce(part.t14_amount, 0))::text as "explained_T14_amount",
    coalesce(part.t15_units, 0)::bigint as "explained_T15_units",
    trim_scale(coalesce(part.t15_amount, 0))::text as "explained_T15_amount",
    coalesce(part.t16_units, 0)::bigint as "explained_T16_units",
    trim_scale(coalesce(part.t16_amount, 0))::text as "explained_T16_amount",
    coalesce(part.t17_units, 0)::bigint as "explained_T17_units",
    trim_scale(coalesce(part.t17_amount, 0))::text as "explained_T17_amount",
    coalesce(part.t18_units, 0)::bigint as "explained_T18_units",
    trim_scale(coalesce(part.t18_amount, 0))::text as "explained_T18_amount",
    cell.unexplained_units,
    trim_scale(cell.unexplained_units * cell.customer_price)::text as unexplained_amount,
    nullif(array_to_string(cell.candidates, '; '), '') as candidates,
    cell.status, cell.open_units as not_yet_settled_units,
    trim_scale(cell.open_units * cell.customer_price)::text as not_yet_settled_amount,
    cell.share_basis,
    nullif(cell.share_counts, '') as unit_shares,
    nullif(cell.apart, '') as counted_apart,
    cell.bundle_id, cell.cell_id,
    rfc3339(cell.as_of) as tied_out_at
from chosen
inner join tieout_cells as cell
    on cell.fiscal_period = chosen.fiscal_period
    and cell.as_of = chosen.as_of
left join part
    on part.fiscal_period = cell.fiscal_period
    and part.cell_id = cell.cell_id
order by
    cell.fiscal_period, cell.region, cell.sku, cell.storefront, cell.customer_currency, cell.customer_price, cell.sign desc,
    cell.transaction_day, cell.cell_id;
