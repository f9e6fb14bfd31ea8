-- purpose: on which lines of the auditors' bridge a charge of ours stands by itself, by what it is: added or taken off.
-- grain:   one row per kind of charge and line
create or replace view payrecon.bridge_charge_marks with (security_invoker = true) as
select told.line_no, told.kind, told.sign
from (values
    (8, 'unmatched', 1), (12, 'refunded', -1),
    -- A line of nothing stands.
    (13, 'refunded', 0), (13, 'refunded, sold before', -1)
) as told (line_no, kind, sign);
