-- purpose: whether any renewal facts exist; without them a night has nothing to plan or settle.
-- grain:   one row
select exists (select 1 from renewal_infos) or exists (select 1 from renewal_plans) as has_renewals;
