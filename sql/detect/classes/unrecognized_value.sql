-- purpose: UNRECOGNIZED_VALUE: values that Apple signed and this version keeps raw, reports and does not use.
-- grain:   one finding per piece of evidence and field
insert into finding (class, subject_id, bundle_id, environment, transaction_id, breaks_at, detail)
select
    'UNRECOGNIZED_VALUE',
    'evidence:' || encode(evidence.sha256, 'hex') || '|' || unrecognized_values.field,
    nullif(evidence.bundle_id, ''),
    nullif(evidence.environment, ''),
    evidence.transaction_id,
    coalesce(evidence.signed_at, evidence.received_at),
    'field ' || unrecognized_values.field || ' has a value this version does not recognise: ' || unrecognized_values.value
from unrecognized_values
inner join in_judged_evidence as evidence on evidence.sha256 = unrecognized_values.sha256
where evidence.verdict = 'genuine';
