-- purpose: the audit bridge from our orders to the bank, in audit order (level C of the tie-out).
--          functions/reports/bridge/bridge_rows.sql has a separate query for each line.
-- parameters: as_of (timestamptz)
-- grain:   one row per fiscal period, section, currency and line
select
    latest.fiscal_period, latest.calendar_month, bridge.section, bridge.line_no, bridge.label, bridge.count,
    trim_scale(bridge.amount)::text as amount,
    bridge.currency, bridge.source, bridge.ref
from latest_tieouts(:'as_of'::timestamptz) as latest
inner join tieout_bridge as bridge using (fiscal_period, as_of)
order by
    latest.fiscal_period collate "C",
    case bridge.section when 'customer' then 1 when 'proceeds' then 2 else 3 end, bridge.currency, bridge.line_no;
