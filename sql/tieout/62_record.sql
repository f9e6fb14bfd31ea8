-- purpose: records the tie-out of the period at this clock, with its files.
-- parameters: run_id, settings_sha256 (text)
-- grain:   one row
insert into payrecon.tieouts (fiscal_period, as_of, run_id, source, is_provisional, files, settings_sha256)
select
    tie_run.fiscal_period, tie_run.as_of, :'run_id'::text, tie_period.source, tie_run.fiscal_period like 'D%',
    array(
        select tie_file.file_sha256
        from tie_file
        where tie_file.fiscal_period = tie_run.fiscal_period
        order by tie_file.file_sha256
    ),
    :'settings_sha256'::text
from tie_run
inner join tie_period on tie_period.fiscal_period = tie_run.fiscal_period;
