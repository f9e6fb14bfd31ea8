-- purpose: lets go of cases of which nothing waits any more: when something of them does, they are new again.
-- parameters: none
-- grain:   one row per case
delete from webhook_cases
where webhook_cases.case_id not in (select open.case_id from open_cases() as open);
