-- purpose: changes between the signed and the newest tie-out of each closed period, by cause; cause 'now' is the newest figure.
-- grain:   one row per period, currency, metric and cause, in milliunits
select
    cell.fiscal_period as period, cell.currency, cell.metric, part.cause, trim_scale(sum(part.value) * 1000)::text as milliunits
from restated_cells(true) as cell
inner join restated_tieouts(true) as latest on latest.fiscal_period = cell.fiscal_period
cross join lateral (values
    ('now', cell.now),
    -- Our own side grows again when a refund is reversed.
    (case when cell.metric = 'our gross' and cell.refunds > 0 then 'reversal' else 'refund' end, cell.refunds),
    ('restated_by_apple', cell.restated),
    (
        case
            when latest.settings_sha256 <> latest.first_settings_sha256 then 'policy'
            when latest.code_version <> latest.first_code_version then 'program_version'
            else 'late_fact'
        end,
        cell.beside
    ),
    -- Facts of both sides came late.
    ('late_fact', cell.now - cell.first_reported - cell.refunds - cell.restated - cell.beside)
) as part (cause, value)
group by cell.fiscal_period, cell.currency, cell.metric, part.cause
having part.cause = 'now' or sum(part.value) <> 0
order by cell.fiscal_period collate "C", cell.currency collate "C", cell.metric, part.cause;
