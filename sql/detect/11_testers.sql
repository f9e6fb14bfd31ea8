-- purpose: fingerprint of the listed testers at a clock. A change of testers may change the breaks of any order.
-- parameters: as_of (timestamptz)
-- grain:   one row
select coalesce(
        md5(
            string_agg(
                concat_ws('|', listed.subject_id, rfc3339(listed.covers_from), rfc3339(listed.covers_to)), ','
                order by listed.subject_id, listed.covers_from, listed.covers_to
            )
        ), ''
    ) as testers
from list_spans_at(:'as_of'::timestamptz, 'tester') as listed;
