-- purpose: since when a charge is revoked, however often its revocation was told anew with another instant.

-- Null as long as it stands as it was gathered before: then revoked_at says it.
alter table payrecon.charges add column first_revoked_at timestamptz;
