-- purpose: notes which findings are about a delivered order without a match, since its delivery ends a decision.
-- grain:   one row per finding about an open order
update finding
set is_delivered = detect_open_order.is_delivered
from detect_open_order
where detect_open_order.order_id = finding.order_id;
