-- purpose: one class per family and subject, with its stable id. Findings inside their grace time are marked as pending.
-- parameters: as_of (timestamptz)
-- grain:   one row per difference
create temp table detect_judged on commit drop as
select distinct on (break_classes.family, finding.subject_id)
    break_hash(break_classes.family, finding.subject_id) as break_id,
    break_classes.family,
    break_classes.severity,
    finding.*,
    detect_open_order.is_delivered,
    finding.breaks_at > :'as_of'::timestamptz as is_pending
from finding
inner join break_classes on break_classes.class = finding.class
left join detect_open_order on detect_open_order.order_id = finding.order_id
order by
    break_classes.family, finding.subject_id, (finding.breaks_at > :'as_of'::timestamptz), break_classes.priority,
    finding.breaks_at, finding.detail;
