-- purpose: evidence that may connect orders, users and charges: uploaded, or named by any version of an order.
-- grain:   one row per evidence item
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
