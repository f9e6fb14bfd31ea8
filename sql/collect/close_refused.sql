-- purpose: closes parked downloads of a report that has since arrived: a proxy's page in its place can never be read.
-- parameters: file_name (text): name of the report, unpacked; decided_at (timestamptz)
-- grain:   one row per parked download
insert into parked_outcomes (parked_id, outcome, reason, decided_at)
select parked_items.parked_id, 'retried', '', :'decided_at'::timestamptz
from parked_items
where parked_items.kind = 'finance'
    and parked_items.file in (:'file_name'::text, :'file_name'::text || '.gz')
    and not exists (select 1 from parked_outcomes where parked_outcomes.parked_id = parked_items.parked_id)
on conflict do nothing;
