-- purpose: sets the charge of uploads whose evidence became genuine.
-- grain:   one row per delivery
update uploads
set charge_id = staged_evidence.charge_id
from usable_evidence
inner join staged_evidence using (sha256, item)
where uploads.sha256 = staged_evidence.sha256
    and uploads.charge_id is null
    and staged_evidence.charge_id is not null;
