-- purpose: the cells and bridge lines behind each figure of the identities, with their contribution in units or money.
-- parameters: fiscal_period, identity, currency, figure (text: left, right or difference; empty for all, - for an empty
--             cell), as_of (timestamptz)
-- grain:   one row per figure and cell, part of a cell, or bridge line; the values of a figure add up to it
select
    term.fiscal_period, term.identity, coalesce(nullif(term.currency, ''), '-') as currency, part.figure, term.kind, term.id, term.detail,
    trim_scale(part.value)::text as value
from latest_tieouts(:'as_of'::timestamptz) as latest
inner join identity_rows as term using (fiscal_period, as_of)
cross join lateral (values
    (term.side, term.value), ('difference', case term.side when 'left' then term.value else -term.value end)
) as part (figure, value)
where :'fiscal_period'::text in ('', term.fiscal_period)
    and :'identity'::text in ('', term.identity)
    and :'currency'::text in ('', coalesce(nullif(term.currency, ''), '-'))
    and :'figure'::text in ('', part.figure)
    and part.value <> 0
order by
    term.fiscal_period, term.identity, term.currency, part.figure, abs(part.value) desc, term.kind, term.id collate "C", term.detail,
    part.value;
