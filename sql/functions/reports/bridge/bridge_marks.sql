-- purpose: The lines of the audit bridge to which an order contributes, by its kind, with the sign of the contribution.
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

-- The lines in which a single charge counts, by its kind: added or subtracted.
create or replace view payrecon.bridge_charge_marks (line_no, kind, sign) with (security_invoker = true) as
values
(8, 'unmatched', 1), (12, 'refunded', -1),
-- A sum of zero still shows the line.
(13, 'refunded', 0), (13, 'refunded, sold before', -1);

-- The lines in which a cell counts, and which of its units count there: those of sales (sign 1), of returns (-1) or of both (0);
-- is_own_currency if customers pay in the currency of the proceeds.
create or replace view payrecon.bridge_cell_marks (line_no, units_of, sign, is_own_currency) with (security_invoker = true) as
values
(11, 'ours', 1, false), (14, 'ours', 0, false), (15, 'open', 0, false), (26, 'unexplained', 0, false), (27, 'theirs', 0, false),
(31, 'theirs', 0, true);
