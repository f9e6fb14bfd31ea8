-- purpose: the settings of the closed periods at the report's clock, in the order of their reports' clocks.
-- grain:   one row per closed period
select closed.fiscal_period, closed.as_of, texts.settings
from closed_periods_at(viewed_at()) as closed
inner join settings_texts as texts on texts.settings_sha256 = closed.settings_sha256
order by closed.as_of, closed.fiscal_period collate "C";
