-- purpose: records the figures of a close that is about to be proposed.
-- parameters: act_id (text), reports, slices, currencies, metrics, figures (text[]): of equal length
-- grain:   one row per figure
insert into period_figures (act_id, report, slice, currency, metric, value)
select :'act_id'::text, entry.report, entry.slice, entry.currency, entry.metric, entry.value::numeric
from unnest(:'reports'::text[], :'slices'::text[], :'currencies'::text[], :'metrics'::text[], :'figures'::text[])
    as entry (report, slice, currency, metric, value);
