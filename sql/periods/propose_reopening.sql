-- purpose: proposes to reopen a closed period.
-- parameters: act_id, period, person, reason (text), at (timestamptz)
-- grain:   one row: hashes of the signed reports and figures; none if the period is not closed
insert into period_steps (
    act_id, step, kind, fiscal_period, close_id, as_of, tied_out_at, settings_sha256, code_version, coverage, coverage_target,
    reports_sha256, figures_sha256, person, reason, at
)
select
    :'act_id'::text, 'proposed', 'reopen', signed.fiscal_period, signed.act_id, signed.as_of, signed.tied_out_at,
    signed.settings_sha256, signed.code_version, signed.coverage, signed.coverage_target, signed.reports_sha256,
    signed.figures_sha256, :'person'::text, :'reason'::text, :'at'::timestamptz
from closed_periods_at(:'at'::timestamptz) as closed
inner join period_steps as signed on signed.act_id = closed.act_id and signed.step = 'signed'
where closed.fiscal_period = :'period'::text
returning reports_sha256, figures_sha256;
