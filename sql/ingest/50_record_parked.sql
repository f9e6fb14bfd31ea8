-- purpose: parks what could not be taken; the same item is parked once, wherever it stood.
-- parameters: none
-- grain:   one row per parked item
insert into parked_items
select distinct on (parked_id) staged_parked.*
from staged_parked
order by parked_id
on conflict do nothing;
