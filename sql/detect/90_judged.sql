-- purpose: one class per family and subject, with its stable id. Findings inside their grace time are marked as pending. The
--          id names a period as functions/charges/period_names.sql does, because its line item may become known later.
-- parameters: as_of (timestamptz)
-- grain:   one row per difference
create temp table detect_judged on commit drop as
select distinct on (break_classes.family, finding.subject_id)
    break_hash(break_classes.family, coalesce(period.name, finding.subject_id)) as break_id,
    break_classes.family,
    break_classes.severity,
    finding.*,
    finding.breaks_at > :'as_of'::timestamptz as is_pending
from finding
inner join break_classes on break_classes.class = finding.class
left join period_names(
    array(select distinct finding.charge_id from finding where finding.subject_id = 'charge:' || finding.charge_id)
) as period on finding.subject_id = 'charge:' || period.charge_id
order by
    break_classes.family, finding.subject_id, (finding.breaks_at > :'as_of'::timestamptz), break_classes.priority,
    finding.breaks_at, finding.detail::text collate "C";
