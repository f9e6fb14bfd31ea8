-- purpose: the closed periods at a clock, with who closed them.
-- parameters: as_of (timestamptz)
-- grain:   one row per closed period
select
    closed.fiscal_period as period, rfc3339(closed.as_of) as closed_as_of, rfc3339(closed.tied_out_at) as tied_out_at,
    closed.proposed_by, rfc3339(closed.proposed_at) as proposed_at, closed.signed_by, rfc3339(closed.signed_at) as signed_at,
    closed.coverage::text as coverage_percent, closed.coverage_target::text as target_percent, closed.reports_sha256,
    closed.settings_sha256, closed.code_version, closed.act_id
from closed_periods_at(:'as_of'::timestamptz) as closed
order by closed.fiscal_period collate "C";
