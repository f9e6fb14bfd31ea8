-- purpose: every charge with the facts from which its schedule is made, to list all schedules.
-- parameters: none; rows/set_viewed.sql sets the clock
-- grain:   one row per Production charge, ordered by purchase
-- rules:   functions/reports/scheduled_charges.sql
select entry.*
from payrecon.scheduled_charges() as entry
order by entry.purchased_at, entry.charge_id collate "C";
