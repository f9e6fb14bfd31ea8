-- purpose: an order row that does not say when it was changed counts by the clock under which it is read, as users do.
-- parameters: none
-- grain:   one row per row changed
update staged_order
set updated_at = reading.told_at
from (select reading_clock(min(staged_order.batch_id)) as told_at from staged_order) as reading
where staged_order.updated_at is null;
