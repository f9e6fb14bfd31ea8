-- purpose: Return the SHA-256 of the reports and of the figures of a close: of their rows as lines, sorted.
create or replace function payrecon.period_reports_hash(close_id text) returns text
language sql stable parallel safe
as $$
    select payrecon.text_sha256(coalesce(string_agg(
        concat_ws(
            ' ', report.report, report.manifest_sha256, report.run_id, report.file_count, report.verdict, report.verdict_reasons
        ),
        E'\n' order by report.report
    ), ''))
    from payrecon.period_reports as report
    where report.act_id = close_id
$$;

create or replace function payrecon.period_figures_hash(close_id text) returns text
language sql stable parallel safe
as $$
    select payrecon.text_sha256(coalesce(string_agg(
        json_build_array(figure.report, figure.slice, figure.currency, figure.metric, trim_scale(figure.value)::text)::text,
        E'\n' order by figure.report, figure.slice, figure.currency, figure.metric
    ), ''))
    from payrecon.period_figures as figure
    where figure.act_id = close_id
$$;
