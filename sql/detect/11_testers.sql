-- purpose: the listed testers at a clock, as one text: when they change, so may the breaks of any order.
-- parameters: as_of (timestamptz)
-- grain:   one row
select coalesce(
        md5(
            string_agg(
                concat_ws('|', listed.subject_id, rfc3339(listed.valid_from), rfc3339(listed.valid_to)), ','
                order by listed.subject_id, listed.valid_from, listed.valid_to
            )
        ), ''
    ) as testers
from lists_at(:'as_of'::timestamptz) as listed
where listed.list = 'tester';
