-- purpose: The lines of the audit bridge in which a single charge counts, by its kind: added or subtracted.
-- grain:   one row per kind of charge and line
create or replace view payrecon.bridge_charge_marks with (security_invoker = true) as
select mark.line_no, mark.kind, mark.sign
from (values
    (8, 'unmatched', 1), (12, 'refunded', -1),
    -- A sum of zero still shows the line.
    (13, 'refunded', 0), (13, 'refunded, sold before', -1)
) as mark (line_no, kind, sign);
