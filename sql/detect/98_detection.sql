-- purpose: records that detect finished at this instant; later runs compare with it to find new breaks.
-- parameters: run_id (text), as_of (timestamptz)
-- grain:   one row
insert into payrecon.detections (as_of, run_id)
values (:'as_of'::timestamptz, :'run_id'::text)
on conflict do nothing;
