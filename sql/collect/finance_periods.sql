-- purpose: Apple's fiscal periods that touch a span of days.
-- parameters: from_day, to_day (text, YYYY-MM-DD)
-- grain:   one row per fiscal period, in order
select fiscal_period, starts_on::text as starts_on, ends_on::text as ends_on
from fiscal_periods
where ends_on >= :'from_day'::text::date
    and starts_on <= :'to_day'::text::date
order by starts_on;
