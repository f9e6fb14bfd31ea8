-- purpose: the progress of reading one of Apple's lists.
-- parameters: job, bundle_id, environment, subject (text)
-- grain:   one row, or none
select cursor, batch_id, window_from, window_to, collected_to
from collections
where job = :'job'::text
    and bundle_id = :'bundle_id'::text
    and environment = :'environment'::text
    and subject = :'subject'::text;
