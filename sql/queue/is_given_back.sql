-- purpose: whether one of some cases was given back, decided or not, at this very clock: nothing new is told apart from that.
-- parameters: case_ids (text[]), as_of (timestamptz)
-- grain:   one row
select exists (
    select 1
    from case_events
    where case_events.case_id = any(:'case_ids'::text[] collate "C")
        and case_events.at = :'as_of'::timestamptz
        and case_events.action = 'released'
) as is_given_back;
