-- purpose: records the hash of a new manifest.
-- parameters: run_id, directory, manifest_sha256 (text)
-- grain:   one manifest
insert into report_manifests (run_id, directory, manifest_sha256, written_at)
values (:'run_id'::text, :'directory'::text, :'manifest_sha256'::text, clock_timestamp());
