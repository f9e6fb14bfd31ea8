-- purpose: the signed figures of a close.
-- parameters: act_id (text)
-- grain:   one row per figure
select figure.report, figure.slice, figure.currency, figure.metric, trim_scale(figure.value)::text as value
from period_figures as figure
where figure.act_id = :'act_id'::text
order by
    figure.report collate "C", figure.slice collate "C", figure.currency collate "C", figure.metric collate "C";
