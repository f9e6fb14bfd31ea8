-- purpose: The measures of daily_rows() in each figure of the daily summary, whether the figure adds up counts or money, and
--          with which sign.
-- grain:   one row per figure, measure and part; part is empty for all of a measure
create or replace view payrecon.daily_figures with (security_invoker = true) as
select measured.name || unit.suffix as figure, measured.measure, measured.part, unit.is_money, 1 as sign
from (values
    ('tx', 'tx', ''), ('order', 'order', ''), ('matched_exact', 'matched', 'exact'), ('matched_derived', 'matched', 'derived'),
    ('matched_heuristic', 'matched', 'heuristic'), ('ambiguous', 'refused', 'ambiguous'), ('broken', 'refused', 'broken'),
    ('pending', 'pending', ''), ('break_open', 'break_open', ''), ('break_decided', 'break_decided', ''), ('refund', 'refund', ''),
    ('refund_reversed', 'refund_reversed', ''), ('late_arrivals', 'late', '')
) as measured (name, measure, part)
cross join (values ('_count', false), ('_amount_milliunits', true)) as unit (suffix, is_money)
union all
values
('pending_of_all_families_count', 'pending_all', '', false, 1),
('excluded_count', 'tx', 'sandbox', false, 1), ('excluded_count', 'tx', 'family', false, 1),
('excluded_count', 'tx', 'zero_price', false, 1), ('excluded_count', 'tx', 'history', false, 1),
('sandbox_count', 'tx', 'sandbox', false, 1), ('family_count', 'tx', 'family', false, 1),
('zero_price_count', 'tx', 'zero_price', false, 1),
('break_opening_count', 'break_opening', '', false, 1), ('break_new_count', 'break_new', '', false, 1),
('break_persisting_count', 'break_persisting', '', false, 1), ('break_resolved_count', 'break_resolved', '', false, 1),
('break_undecided_count', 'break_undecided', '', false, 1),
('bridge_book_milliunits', 'order', '', true, 1), ('bridge_open_tx_count', 'open_tx', '', false, 1),
('bridge_plus_open_tx_milliunits', 'open_tx', '', true, 1), ('bridge_open_orders_count', 'open_order', '', false, 1),
('bridge_minus_open_orders_milliunits', 'open_order', '', true, 1), ('bridge_plus_not_booked_milliunits', 'not_booked', '', true, 1),
('bridge_not_charged_milliunits', 'not_charged', '', true, 1), ('bridge_amount_diff_count', 'amount_diff', '', false, 1),
('bridge_amount_diff_milliunits', 'amount_diff', '', true, 1), ('bridge_currency_diff_milliunits', 'currency_diff', '', true, 1),
('bridge_unpriced_milliunits', 'unpriced', '', true, 1), ('bridge_apple_milliunits', 'tx', '', true, 1),
-- Apple's money that the other lines of the bridge leave unexplained.
('bridge_unexplained_milliunits', 'tx', '', true, 1), ('bridge_unexplained_milliunits', 'order', '', true, -1),
('bridge_unexplained_milliunits', 'open_tx', '', true, -1), ('bridge_unexplained_milliunits', 'open_order', '', true, 1),
('bridge_unexplained_milliunits', 'not_booked', '', true, -1), ('bridge_unexplained_milliunits', 'not_charged', '', true, -1),
('bridge_unexplained_milliunits', 'amount_diff', '', true, -1), ('bridge_unexplained_milliunits', 'currency_diff', '', true, -1),
('bridge_unexplained_milliunits', 'unpriced', '', true, -1);

-- The measures in the figures of the chart of days.
create or replace view payrecon.day_figures (figure, measure, part) with (security_invoker = true) as
values ('tx_count', 'tx', 'money'), ('order_count', 'order', ''), ('matched_count', 'matched', '');
