-- purpose: the cells and the lines of the bridge behind each figure of the identities: what each adds to it, units or money.
-- parameters: fiscal_period, identity, currency, figure (text: left, right or difference; empty for all of them, - for a cell that is
--             empty), as_of (timestamptz)
-- grain:   one row per figure and cell, part of a cell, or line of the bridge; the values of a figure add up to it
select
    told.fiscal_period, told.identity, coalesce(nullif(told.currency, ''), '-') as currency, part.figure, told.kind, told.id, told.detail,
    trim_scale(part.value)::text as value
from latest_tieouts(:'as_of'::timestamptz) as latest
inner join identity_rows as told
    on told.fiscal_period = latest.fiscal_period
    and told.as_of = latest.as_of
cross join lateral (values
    (told.side, told.value), ('difference', case told.side when 'left' then told.value else -told.value end)
) as part (figure, value)
where :'fiscal_period'::text in ('', told.fiscal_period)
    and :'identity'::text in ('', told.identity)
    and :'currency'::text in ('', coalesce(nullif(told.currency, ''), '-'))
    and :'figure'::text in ('', part.figure)
    and part.value <> 0
order by
    told.fiscal_period, told.identity, told.currency, part.figure, abs(part.value) desc, told.kind, told.id collate "C", told.detail;
