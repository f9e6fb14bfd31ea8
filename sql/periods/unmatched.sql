-- purpose: charges of a period without an order, as the bridge counts them.
-- grain:   one row per charge
select entry.charge_id, entry.currency, entry.milliunits::bigint as milliunits
from bridge_charges() as entry
where entry.kind = 'unmatched'
order by entry.charge_id collate "C";
