-- purpose: records the hash of a new manifest.
-- parameters: run_id, directory, manifest_sha256 (text), as_of (timestamptz): clock of the report
-- grain:   one manifest
insert into report_manifests (run_id, directory, manifest_sha256, as_of, written_at)
values (:'run_id'::text, :'directory'::text, :'manifest_sha256'::text, :'as_of'::timestamptz, clock_timestamp());
