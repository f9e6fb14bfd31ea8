-- purpose: export of cells: both sides of every tied-out period, with the causes of their difference, from the tie-out that
--          reports show: the signed one of a closed period, else the newest one. The restatement has the differences to a
--          newer one. diff = Apple's side less ours = explained + unexplained + not yet settled.
-- parameters: as_of (timestamptz)
-- grain:   one row per cell
with chosen as (select latest.fiscal_period, latest.as_of from latest_tieouts(:'as_of'::timestamptz) as latest),
part as (
    select
        by_cause.fiscal_period, by_cause.cell_id, jsonb_object_agg(by_cause.cause, by_cause.units) as units,
        jsonb_object_agg(by_cause.cause, trim_scale(by_cause.amount)::text) as amounts
    from (
        select
            tieout_parts.fiscal_period, tieout_parts.cell_id, tieout_parts.cause, sum(tieout_parts.units) as units,
            sum(tieout_parts.amount) as amount
        from chosen
        inner join tieout_parts using (fiscal_period, as_of)
        group by tieout_parts.fiscal_period, tieout_parts.cell_id, tieout_parts.cause
    ) as by_cause
    group by by_cause.fiscal_period, by_cause.cell_id
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
    trim_scale(cell.l1_units * cell.customer_price + coalesce((part.amounts ->> 'unit price')::numeric, 0))::text as l1_gross,
    trim_scale(cell.l3_units * cell.customer_price)::text as l3_gross,
    trim_scale(cell.unit_share)::text as unit_partner_share,
    cell.proceeds_currency,
    trim_scale(round(cell.l1_expected, 6))::text as l1_expected_proceeds,
    trim_scale(cell.l3_extended)::text as l3_extended_share,
    trim_scale(round(cell.l3_extended - cell.l1_expected, 6))::text as diff_proceeds,
    coalesce((part.units ->> 'T1')::bigint, 0) as "explained_T1_units", coalesce(part.amounts ->> 'T1', '0') as "explained_T1_amount",
    coalesce((part.units ->> 'T2')::bigint, 0) as "explained_T2_units", coalesce(part.amounts ->> 'T2', '0') as "explained_T2_amount",
    coalesce((part.units ->> 'T3')::bigint, 0) as "explained_T3_units", coalesce(part.amounts ->> 'T3', '0') as "explained_T3_amount",
    coalesce((part.units ->> 'T4')::bigint, 0) as "explained_T4_units", coalesce(part.amounts ->> 'T4', '0') as "explained_T4_amount",
    coalesce((part.units ->> 'T5')::bigint, 0) as "explained_T5_units", coalesce(part.amounts ->> 'T5', '0') as "explained_T5_amount",
    coalesce((part.units ->> 'T6')::bigint, 0) as "explained_T6_units", coalesce(part.amounts ->> 'T6', '0') as "explained_T6_amount",
    coalesce((part.units ->> 'T7')::bigint, 0) as "explained_T7_units", coalesce(part.amounts ->> 'T7', '0') as "explained_T7_amount",
    coalesce((part.units ->> 'T8')::bigint, 0) as "explained_T8_units", coalesce(part.amounts ->> 'T8', '0') as "explained_T8_amount",
    coalesce((part.units ->> 'T9')::bigint, 0) as "explained_T9_units", coalesce(part.amounts ->> 'T9', '0') as "explained_T9_amount",
    coalesce((part.units ->> 'T10')::bigint, 0) as "explained_T10_units", coalesce(part.amounts ->> 'T10', '0') as "explained_T10_amount",
    coalesce((part.units ->> 'T11')::bigint, 0) as "explained_T11_units", coalesce(part.amounts ->> 'T11', '0') as "explained_T11_amount",
    coalesce((part.units ->> 'T12')::bigint, 0) as "explained_T12_units", coalesce(part.amounts ->> 'T12', '0') as "explained_T12_amount",
    coalesce((part.units ->> 'T13')::bigint, 0) as "explained_T13_units", coalesce(part.amounts ->> 'T13', '0') as "explained_T13_amount",
    coalesce((part.units ->> 'T14')::bigint, 0) as "explained_T14_units", coalesce(part.amounts ->> 'T14', '0') as "explained_T14_amount",
    coalesce((part.units ->> 'T15')::bigint, 0) as "explained_T15_units", coalesce(part.amounts ->> 'T15', '0') as "explained_T15_amount",
    coalesce((part.units ->> 'T16')::bigint, 0) as "explained_T16_units", coalesce(part.amounts ->> 'T16', '0') as "explained_T16_amount",
    coalesce((part.units ->> 'T17')::bigint, 0) as "explained_T17_units", coalesce(part.amounts ->> 'T17', '0') as "explained_T17_amount",
    coalesce((part.units ->> 'T18')::bigint, 0) as "explained_T18_units", coalesce(part.amounts ->> 'T18', '0') as "explained_T18_amount",
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
inner join tieout_cells as cell using (fiscal_period, as_of)
left join part using (fiscal_period, cell_id)
order by
    cell.fiscal_period, cell.region, cell.sku, cell.storefront, cell.customer_currency, cell.customer_price, cell.sign desc,
    cell.transaction_day, cell.cell_id;
