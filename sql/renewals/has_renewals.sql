-- purpose: whether anything is known that renews; a night without it has nothing to plan and nothing to settle.
-- parameters: none
-- grain:   one row
select exists (select 1 from renewal_infos) or exists (select 1 from renewal_plans) as has_renewals;
