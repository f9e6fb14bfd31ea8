-- purpose: changes between the signed and the newest tie-out of each closed period, by cause; cause 'now' is the newest figure.
-- grain:   one row per period, currency, metric and cause, in milliunits
select
    cell.fiscal_period as period, cell.currency, cell.metric, part.cause, trim_scale(sum(part.value) * 1000)::text as milliunits
from restated_cells(true) as cell
cross join lateral (values
    ('now', cell.now),
    -- Facts of both sides came late.
    (case cell.cause when 'other' then 'late_fact' else cell.cause end, cell.now - cell.first_reported)
) as part (cause, value)
group by cell.fiscal_period, cell.currency, cell.metric, part.cause
having part.cause = 'now' or sum(part.value) <> 0
order by cell.fiscal_period collate "C", cell.currency collate "C", cell.metric, part.cause;
