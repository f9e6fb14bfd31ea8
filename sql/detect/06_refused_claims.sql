-- purpose: charges and evidence that open orders claimed and were refused, looked up by key once for all classes that use
--          them.
-- grain:   one row per charge, and one per evidence item
create temp table detect_refused_charge on commit drop as
select charges.*
from (select distinct charge_id from detect_open_order where charge_id is not null) as refused
inner join in_charges as charges on charges.charge_id = refused.charge_id;
create temp table detect_refused_evidence on commit drop as
select
    evidence.sha256, evidence.reason, evidence.bundle_id, evidence.environment, evidence.transaction_id
from (select distinct evidence_sha256 from detect_open_order where evidence_sha256 is not null) as refused
inner join in_judged_evidence as evidence on evidence.sha256 = refused.evidence_sha256;
analyze detect_refused_charge, detect_refused_evidence;
