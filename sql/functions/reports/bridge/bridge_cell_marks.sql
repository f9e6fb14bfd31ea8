-- purpose: The lines of the audit bridge in which a cell counts, and which of its units count there.
-- grain:   one row per line: units of sales (sign 1), of returns (-1) or of both (0); is_own_currency if customers pay in
--          the currency of the proceeds
create or replace view payrecon.bridge_cell_marks with (security_invoker = true) as
select mark.line_no, mark.units_of, mark.sign, mark.is_own_currency
from (values
    (11, 'ours', 1, false), (14, 'ours', 0, false), (15, 'open', 0, false), (26, 'unexplained', 0, false), (27, 'theirs', 0, false),
    (31, 'theirs', 0, true)
) as mark (line_no, units_of, sign, is_own_currency);
