-- purpose: how many parked items nobody has retried or discarded, cut ends of files that came whole later left out.
-- parameters: as_of (timestamptz)
-- grain:   one row
select count(*) as parked_count
from parked_items
where not exists (select 1 from parked_outcomes where parked_outcomes.parked_id = parked_items.parked_id)
    and not is_cut_over(parked_items.parked_id, :'as_of'::timestamptz);
