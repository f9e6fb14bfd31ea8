-- purpose: on which lines of the auditors' bridge a cell stands, and with which of its units.
-- grain:   one row per line: units of sales (sign 1), of returns (-1) or of both (0); is_of_all where a cell without such units stands,
--          too, and is_own_currency where customers pay in the currency of the proceeds
create or replace view payrecon.bridge_cell_marks with (security_invoker = true) as
select told.line_no, told.units_of, told.sign, told.is_of_all, told.is_own_currency
from (values
    (10, 'ours', 1, true, false), (11, 'ours', 1, false, false), (14, 'ours', 0, false, false),
    (15, 'open', 0, false, false), (26, 'unexplained', 0, false, false), (27, 'theirs', 0, false, false), (31, 'theirs', 0, false, true)
) as told (line_no, units_of, sign, is_of_all, is_own_currency);
