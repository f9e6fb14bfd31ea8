-- purpose: when a reviewer last acted on some cases, at whatever clock.
-- parameters: case_ids (text[])
-- grain:   one row: null where nobody did
select latest_act(:'case_ids'::text[]) as at;
