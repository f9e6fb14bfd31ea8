-- purpose: Returns the hash of a later verdict's row; evidence hashes enter in hexadecimal, as in all seals.
create or replace function payrecon.judgement_row_hash(
    sha256 bytea, batch_id bigint, chunk bigint, reader_sha256 text, verdict text, reason jsonb, kind text, bundle_id text,
    environment text, charge_id text, transaction_id text, original_transaction_id text, replaced_by bytea, signed_at timestamptz
) returns bytea
language sql stable parallel safe
return sha256(
    record_send(row(encode($1, 'hex'), $2, $3, $4, $5, $6::text, $7, $8, $9, $10, $11, $12, encode($13, 'hex'), $14))
);
