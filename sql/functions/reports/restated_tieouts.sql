-- purpose: Returns the two tie-outs of a period that a restatement compares: the first one, or the signed one of each closed
--          period if since_close, and the newest one at the report's clock. other_cause is the cause of a change for which
--          neither side changed.
-- grain:   one row per fiscal period
create or replace function payrecon.restated_tieouts(since_close boolean) returns table (
    fiscal_period text, as_of timestamptz, first_as_of timestamptz, files text[], other_cause text
)
language sql stable parallel safe
as $$
    select
        newest.fiscal_period, newest.as_of, earlier.as_of, newest.files,
        case
            when newest.settings_sha256 <> earlier.settings_sha256 then 'policy'
            when (select min(runs.code_version) from payrecon.runs where runs.run_id = newest.run_id)
                is distinct from (select min(runs.code_version) from payrecon.runs where runs.run_id = earlier.run_id)
                then 'program_version'
            else 'late_fact'
        end
    from payrecon.latest_tieouts(payrecon.viewed_at(), as_signed => false) as newest
    left join payrecon.closed_periods_at(payrecon.viewed_at()) as closed on closed.fiscal_period = newest.fiscal_period
    inner join payrecon.tieouts as earlier
        on earlier.fiscal_period = newest.fiscal_period
        and earlier.as_of = case when since_close then closed.tied_out_at else newest.first_as_of end
$$;
