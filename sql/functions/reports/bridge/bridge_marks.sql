-- purpose: The lines of the audit bridge in which an order counts, by its kind: added or subtracted.
-- grain:   one row per kind of order, position in month and period, and line
create or replace view payrecon.bridge_marks with (security_invoker = true) as
select kind.kind, month.is_in_month, period.is_in_period, line.line_no, line.sign
from (values ('sandbox'), ('duplicate'), ('free'), ('unmatched'), ('matched')) as kind (kind)
cross join (values (true), (false)) as month (is_in_month)
cross join (values (true), (false)) as period (is_in_period)
cross join lateral (values
    (1, month.is_in_month, 1), (2, period.is_in_period and not month.is_in_month, 1),
    (3, month.is_in_month and not period.is_in_period, -1), (4, period.is_in_period, 1),
    (5, period.is_in_period and kind.kind = 'sandbox', -1), (6, period.is_in_period and kind.kind = 'duplicate', -1),
    (7, period.is_in_period and kind.kind = 'free', -1), (9, period.is_in_period and kind.kind = 'unmatched', -1)
) as line (line_no, is_of_line, sign)
where line.is_of_line;
