-- purpose: columns that hold what stands at the beginning or end of a row's period. Totals of workbooks leave them out: the balance of one
--          period is in the balance of the next.
-- note:    relation '' is for every relation that has no words of its own for the column in column_words.sql.
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
-- Apple adds the balance of the period before to these.
('', 'pre_tax_subtotal'),
('tieout_regions', 'pre_tax_subtotal'),
('', 'total_owed'),
('tieout_regions', 'total_owed'),
('', 'total_owed_recomputed'),
-- Each tie-out learns from the days of seven periods.
('', 'unit_count'),
('', 'hit_count'),
('', 'runner_up_count');
