-- purpose: on which lines of the auditors' bridge an order of ours stands, by what it is: added or taken off.
-- grain:   one row per kind of order, place in month and period, and line
create or replace view payrecon.bridge_marks with (security_invoker = true) as
select kind.kind, month.is_in_month, period.is_in_period, told.line_no, told.sign
from (values ('sandbox'), ('duplicate'), ('free'), ('unmatched'), ('matched')) as kind (kind)
cross join (values (true), (false)) as month (is_in_month)
cross join (values (true), (false)) as period (is_in_period)
cross join lateral (values
    (1, month.is_in_month, 1), (2, period.is_in_period and not month.is_in_month, 1),
    (3, month.is_in_month and not period.is_in_period, -1), (4, period.is_in_period, 1),
    (5, period.is_in_period and kind.kind = 'sandbox', -1), (6, period.is_in_period and kind.kind = 'duplicate', -1),
    (7, period.is_in_period and kind.kind = 'free', -1), (9, period.is_in_period and kind.kind = 'unmatched', -1)
) as told (line_no, is_of_line, sign)
where told.is_of_line;
