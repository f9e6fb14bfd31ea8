-- purpose: hashes of evidence as bytes in all that is left; see 0074_hashes_as_bytes.sql. Samples of the quarantine are no evidence.
alter table payrecon.evidence_links
alter column sha256 type bytea using decode(sha256, 'hex'),
alter column parent_sha256 type bytea using decode(parent_sha256, 'hex');
alter table payrecon.uploads alter column sha256 type bytea using decode(sha256, 'hex');
alter table payrecon.notifications alter column evidence_sha256 type bytea using decode(evidence_sha256, 'hex');
alter table payrecon.renewal_infos alter column evidence_sha256 type bytea using decode(evidence_sha256, 'hex');
alter table payrecon.judgements
alter column sha256 type bytea using decode(sha256, 'hex'),
alter column replaced_by type bytea using decode(replaced_by, 'hex');
alter table payrecon.unproven_evidence alter column sha256 type bytea using decode(sha256, 'hex');
alter table payrecon.unrecognized_values alter column sha256 type bytea using decode(sha256, 'hex');
alter table payrecon.missed_notifications alter column evidence_sha256 type bytea using decode(evidence_sha256, 'hex');
alter table payrecon.orders alter column evidence_sha256 type bytea using decode(evidence_sha256, 'hex');
alter table payrecon.order_versions alter column evidence_sha256 type bytea using decode(evidence_sha256, 'hex');
alter table payrecon.refused_claims alter column evidence_sha256 type bytea using decode(evidence_sha256, 'hex');
alter table payrecon.ended_refused_claims alter column evidence_sha256 type bytea using decode(evidence_sha256, 'hex');
alter table payrecon.piece_refused_claims alter column evidence_sha256 type bytea using decode(evidence_sha256, 'hex');
analyze
    payrecon.evidence_links, payrecon.uploads, payrecon.notifications, payrecon.renewal_infos, payrecon.judgements, payrecon.orders,
    payrecon.order_versions;
