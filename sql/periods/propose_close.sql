-- purpose: proposes a close; the database writes the account, the tie-out, its coverage and the target.
-- parameters: act_id, period, settings_sha256, code_version, person, reason (text), as_of, at (timestamptz): clocks of the
--             reports and of the act
-- grain:   one row: hashes of the reports and figures that were recorded before
insert into period_steps (
    act_id, step, kind, fiscal_period, as_of, settings_sha256, code_version, reports_sha256, figures_sha256, person, reason, at
)
values (
    :'act_id'::text, 'proposed', 'close', :'period'::text, :'as_of'::timestamptz, :'settings_sha256'::text, :'code_version'::text,
    period_reports_hash(:'act_id'::text), period_figures_hash(:'act_id'::text), :'person'::text, :'reason'::text, :'at'::timestamptz
)
returning reports_sha256, figures_sha256;
