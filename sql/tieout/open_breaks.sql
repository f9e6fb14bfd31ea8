-- purpose: open undecided breaks of a period's tie-out, by severity.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one row per severity
select state.severity, count(*) as count
from breaks_at(:'as_of'::timestamptz) as state
inner join open_breaks on open_breaks.break_id = state.break_id
where state.family = 'tieout'
    and state.is_open
    and not state.is_decided
    and (
        split_part(open_breaks.subject_id, ':', 1) in ('cell', 'payment', 'commission')
        and split_part(open_breaks.subject_id, ':', 2) = :'period'::text
        or open_breaks.subject_id like 'charge:%' and state.detail #>> '{with,period}' = :'period'::text
    )
group by state.severity
order by state.severity;
