-- purpose: Returns the closed fiscal periods at a clock: each with the close that two people signed and nobody reopened.
-- grain:   one row per closed period
create or replace function payrecon.closed_periods_at(clock timestamptz) returns table (
    fiscal_period text, act_id text, as_of timestamptz, tied_out_at timestamptz, settings_sha256 text, code_version text,
    coverage numeric, coverage_target numeric, reports_sha256 text, proposed_by text, proposed_at timestamptz, signed_by text,
    signed_at timestamptz
)
language sql stable parallel safe
as $$
    select
        signed.fiscal_period, signed.act_id, signed.as_of, signed.tied_out_at, signed.settings_sha256, signed.code_version,
        signed.coverage, signed.coverage_target, signed.reports_sha256, proposal.account, proposal.at, signed.account, signed.at
    from payrecon.period_steps as signed
    inner join payrecon.period_steps as proposal on proposal.act_id = signed.act_id and proposal.step = 'proposed'
    where signed.kind = 'close'
        and signed.step = 'signed'
        and signed.at <= clock
        and not exists (
            select 1
            from payrecon.period_steps as reopening
            where reopening.close_id = signed.act_id
                and reopening.step = 'signed'
                and reopening.at <= clock
        )
$$;
