-- purpose: Columns with the opening or closing balance of a row's period. Totals of workbooks leave them out, because the
--          balance of one period is included in the next.
-- note:    relation '' covers every relation without a text for the column in column_words.sql.
create or replace view payrecon.column_balances (relation, column_name) as
values
('', 'opening_count'),
('', 'closing_count'),
('', 'closing_amount_milliunits'),
('', 'break_opening_count'),
('', 'opening_milliunits'),
('', 'closing_milliunits'),
('roll_forward', 'remaining_milliunits'),
('', 'balance'),
('', 'brought_forward'),
('', 'carried_forward'),
-- These amounts include the previous period's balance.
('', 'pre_tax_subtotal'),
('tieout_regions', 'pre_tax_subtotal'),
('', 'total_owed'),
('tieout_regions', 'total_owed'),
('', 'total_owed_recomputed'),
-- Each tie-out learns from the days of seven periods.
('', 'unit_count'),
('', 'hit_count'),
('', 'runner_up_count');
