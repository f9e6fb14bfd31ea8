-- purpose: hashes of evidence as bytes where transactions name them; see 0074_hashes_as_bytes.sql.
alter table payrecon.transactions alter column evidence_sha256 type bytea using decode(evidence_sha256, 'hex');
analyze payrecon.transactions;
