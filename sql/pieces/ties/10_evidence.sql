-- purpose: evidence by which orders, users and charges hang together: handed over, or named by an order, in all its versions.
-- grain:   one row per piece of evidence
create temp table cut_evidence (sha256 bytea primary key) on commit drop;
insert into cut_evidence (sha256)
select uploads.sha256
from uploads
union
select orders.evidence_sha256
from orders
where orders.evidence_sha256 is not null
union
select order_versions.evidence_sha256
from order_versions
where order_versions.evidence_sha256 is not null;
analyze cut_evidence;
