-- purpose: sums that must hold: each cell's difference is explained, unexplained or not yet settled; and each part of the bridge adds up to
--          the next total, which is asked for by itself.
-- parameters: as_of (timestamptz)
-- grain:   one row per identity, fiscal period and currency
with latest as materialized (
    select * from latest_tieouts(:'as_of'::timestamptz) as known
),
explained as (
    select
        tieout_cells.fiscal_period, tieout_cells.customer_currency as currency,
        sum(tieout_cells.l3_units - tieout_cells.l1_units) as total,
        sum(coalesce(part.units, 0) + tieout_cells.unexplained_units + tieout_cells.open_units) as parts
    from latest
    inner join tieout_cells
        on tieout_cells.fiscal_period = latest.fiscal_period
        and tieout_cells.as_of = latest.as_of
    left join (
        select tieout_parts.fiscal_period, tieout_parts.as_of, tieout_parts.cell_id, sum(tieout_parts.units) as units
        from tieout_parts
        group by 1, 2, 3
    ) as part
        on part.fiscal_period = tieout_cells.fiscal_period
        and part.as_of = tieout_cells.as_of
        and part.cell_id = tieout_cells.cell_id
    group by 1, 2
),
summed as (
    select
        latest.fiscal_period, bridge.currency, rule.identity, rule.formula,
        coalesce(sum(bridge.amount) filter (where bridge.line_no = rule.total), 0) as total,
        coalesce(sum(bridge.amount) filter (where bridge.line_no <> rule.total), 0) as parts,
        bool_or(bridge.line_no = rule.total) as has_total
    from latest
    inner join tieout_bridge as bridge
        on bridge.fiscal_period = latest.fiscal_period
        and bridge.as_of = latest.as_of
    inner join (values
        ('bridge 4', 'orders of the month + shifts = orders of the period', 1, 4, 4),
        ('bridge 11', 'orders of the period + what is no charge = our charges', 4, 11, 11),
        ('bridge 14', 'our charges - refunds = our side of the cells', 11, 14, 14),
        ('bridge 26', 'our side + explained + UNEXPLAINED = Apple''s customer value', 14, 26, 26),
        ('bridge 36', 'customer value - tax - commission + other = earned', 31, 36, 36),
        ('bridge 44', 'earned + tax + adjustments - withholding - carried = owed', 36, 44, 44),
        ('bridge 53', 'owed at printed rates + rounding = proceeds', 51, 53, 53),
        ('bridge 55', 'proceeds + bank differs = bank', 53, 55, 55)
    ) as rule (identity, formula, from_line, to_line, total) on bridge.line_no between rule.from_line and rule.to_line
    group by 1, 2, 3, 4
)
select
    'cells' as identity, fiscal_period, currency, 'Apple''s units - ours = explained + unexplained + not yet settled' as formula,
    total::text as left, parts::text as right, (total - parts)::text as difference,
    case when total = parts then 'yes' else 'no' end as holds
from explained
union all
select identity, fiscal_period, currency, formula, trim_scale(total)::text, trim_scale(parts)::text, trim_scale(total - parts)::text,
    case when total = parts then 'yes' else 'no' end
from summed
where has_total or identity <> 'bridge 44'
order by fiscal_period, identity, currency;
