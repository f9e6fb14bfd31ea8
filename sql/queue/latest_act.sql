-- purpose: the latest clock at which a reviewer acted on some cases.
-- parameters: case_ids (text[])
-- grain:   one row: null if nobody did
select latest_act(:'case_ids'::text[]) as at;
