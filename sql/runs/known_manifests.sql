-- purpose: hashes of the manifests that a run wrote.
-- parameters: run_id (text)
-- grain:   one row per manifest, latest first
select manifest_sha256, directory
from report_manifests
where run_id = :'run_id'::text
order by report_id desc;
