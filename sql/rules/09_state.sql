-- purpose: fingerprint of facts whose change makes all rules re-evaluate everything: testers, households, and catalogue
--          prices that came into force since the last run.
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
    )) as lists,
    exists (
        select 1
        from catalogue_prices
        where catalogue_prices.valid_from <= :'as_of'::timestamptz
            and catalogue_prices.valid_from > (
                select max(detections.as_of) from detections where detections.as_of < :'as_of'::timestamptz
            )
    ) as has_new_prices;
