-- purpose: Returns the hash of an evidence row's columns other than its bytes. The item's own hash enters in hexadecimal, as
--          in all seals.
create or replace function payrecon.evidence_row_hash(
    sha256 bytea, kind text, verdict text, reason jsonb, bundle_id text, environment text, source text, header_key text,
    charge_id text, transaction_id text, original_transaction_id text, signed_at timestamptz, received_at timestamptz
) returns bytea
language sql stable parallel safe
return sha256(record_send(row(encode($1, 'hex'), $2, $3, $4::text, $5, $6, $7, $8, $9, $10, $11, $12, $13)));
