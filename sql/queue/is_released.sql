-- purpose: whether one of some cases was released at this very clock. Events of the same clock could not be distinguished from it.
-- parameters: case_ids (text[]), as_of (timestamptz)
-- grain:   one row
select exists (
    select 1
    from case_events
    where case_events.case_id = any(:'case_ids'::text[] collate "C")
        and case_events.at = :'as_of'::timestamptz
        and case_events.action = 'released'
) as is_released;
