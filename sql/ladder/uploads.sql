-- purpose: uploads of evidence with user, device and decoded charge.
-- grain:   one row per upload
select
    coalesce(charge_aliases.charge_id, uploads.charge_id) as charge_id,
    nullif(uploads.user_id, '') as user_id,
    nullif(uploads.device_id, '') as device_id
from in_uploads as uploads
left join charge_aliases on charge_aliases.stated_id = uploads.charge_id;
