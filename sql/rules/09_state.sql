-- purpose: fingerprint of facts whose change makes all rules re-evaluate everything: testers and households.
-- parameters: as_of (timestamptz)
-- grain:   one row
select
    md5(coalesce(
        (
            select string_agg(listed::text, chr(10) order by listed.list, listed.subject_id, listed.covers_from, listed.covers_to)
            from (
                select 'tester' as list, span.* from list_spans_at(:'as_of'::timestamptz, 'tester') as span
                union all
                select 'family', span.* from list_spans_at(:'as_of'::timestamptz, 'family') as span
            ) as listed
        ), ''
    )) as lists;
