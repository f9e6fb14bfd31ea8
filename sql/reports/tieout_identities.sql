-- purpose: sums that must hold: each cell's difference is explained, unexplained or not yet settled, and each part of the
--          bridge adds up to the next total, which is queried separately; see functions/reports/identity_rows.sql.
-- parameters: as_of (timestamptz)
-- grain:   one row per identity, fiscal period and currency
with summed as (
    select
        identity_row.identity, identity_row.fiscal_period, identity_row.currency, identity_row.formula,
        coalesce(sum(identity_row.value) filter (where identity_row.side = 'left'), 0) as total,
        coalesce(sum(identity_row.value) filter (where identity_row.side = 'right'), 0) as parts
    from latest_tieouts(:'as_of'::timestamptz) as latest
    inner join identity_rows as identity_row using (fiscal_period, as_of)
    group by 1, 2, 3, 4
)
select
    identity, fiscal_period, currency, formula, trim_scale(total)::text as left, trim_scale(parts)::text as right,
    trim_scale(total - parts)::text as difference, case when total = parts then 'yes' else 'no' end as holds
from summed
order by fiscal_period, identity, currency;
