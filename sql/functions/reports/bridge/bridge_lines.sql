-- purpose: The lines of the audit bridge, in audit order, with their labels and where to look further. Lines of the section
--          customer count units.
-- grain:   one row per line
create or replace view payrecon.bridge_lines with (security_invoker = true) as
select line.line_no, line.section, line.label, line.source, line.ref
from (values
    -- The period is named after the month.
    (1, 'customer', 'Own orders, calendar month', 'orders', 'export orders'),
    (2, 'customer', '+ in the fiscal period, not in the month', 'orders', 'export orders'),
    (3, 'customer', '− in the month, not in the fiscal period', 'orders', 'export orders'),
    (4, 'customer', '= own orders, fiscal period', 'orders', 'export orders'),
    (5, 'customer', '− sandbox', 'orders', 'breaks SANDBOX_IN_PROD'),
    -- Orders that claim a purchase of another order.
    (6, 'customer', '− duplicates', 'orders', 'breaks DUP_DELIVERY, REPLAY_MULTI_USER'),
    (7, 'customer', '− free and family', 'orders', 'export matches'),
    (8, 'customer', '+ charges without order', 'charges', 'breaks TX_NO_ORDER'),
    (9, 'customer', '− orders without charge', 'orders', 'breaks ORDER_NO_TX'),
    -- Matched pairs whose sides differ in price, quantity or day.
    (10, 'customer', '± price and period of matched pairs', 'matches', 'breaks AMOUNT_DIFF'),
    -- Sales on our side of the cells.
    (11, 'customer', '= our charges of the period', 'charges', 'export cells, l1_gross'),
    (12, 'customer', '− refunds of sales of this period', 'charges', 'report refunds'),
    (13, 'customer', '− refunds of earlier sales', 'charges', 'report refunds'),
    (14, 'customer', '= our side of the cells', 'charges', 'export cells, l1_gross'),
    -- Units that may settle in a period that was not read yet.
    (15, 'customer', '− not yet settled', 'cells', 'export cells, open'),
    (16, 'customer', '− settled in later periods', 'T1', 'export cells, explained_T1'),
    (17, 'customer', '+ settled from earlier periods', 'T1', 'export cells, explained_T1'),
    (18, 'customer', '− never collected', 'T2', 'breaks NEVER_COLLECTED'),
    -- Units on another day at Apple; zero within a period.
    (19, 'customer', '± day boundary', 'T14', 'export cells, explained_T14'),
    -- The same sale at another price, and the cost of our charges beyond Apple's unit price.
    (20, 'customer', '± preserved or changed price, and what no quantity divides', 'T18, cells', 'export cells, explained_T18'),
    (21, 'customer', '± refunds on other days or reversed, parts of prices, upgrades', 'T3, T5, T17', 'export cells'),
    (22, 'customer', '− refunds in the Apple report alone', 'T4', 'breaks REFUND_UNSEEN'),
    (23, 'customer', '+ sales that no evidence shows', 'T13', 'breaks L3_NO_L1'),
    -- Charges that two reviewers called duplicates.
    (24, 'customer', '− benign duplicates', 'T12', 'queue'),
    -- Trials and codes, which only Apple's report counts; they have no proceeds.
    (25, 'customer', '+ free in the Apple report, counts only', 'T16', 'export cells, explained_T16'),
    (26, 'customer', '± UNEXPLAINED', 'cells', 'breaks CELL_DIFF'),
    (27, 'customer', '= customer value in the Apple report', 'report lines', 'export cells, l3_gross'),
    -- Payments by customers in the currency of the proceeds.
    (31, 'proceeds', 'Customer value in this currency', 'report lines', 'export cells, l3_gross'),
    -- The included tax at the rates of the settings; no line without a rate.
    (32, 'proceeds', '− tax in price (estimate)', 'settings finance.tax', 'settings show'),
    -- The remaining difference between price and proceeds.
    (33, 'proceeds', '− commission, and tax that no setting states', 'report lines', 'export cells'),
    (34, 'proceeds', '+ proceeds of sales in other currencies', 'report lines', 'export cells, l3_extended_share'),
    (35, 'proceeds', '+ apps, bundles and other products', 'report lines', 'export finance-lines'),
    (36, 'proceeds', '= earned in the report', 'report lines', 'report tieout, level B'),
    (37, 'proceeds', '± earned otherwise in the payment', 'payments', 'breaks PAYMENT_DIFF'),
    (38, 'proceeds', '+ brought forward', 'payments', 'export payments'),
    -- Tax on commission.
    (39, 'proceeds', '± input tax', 'payments', 'export payments'),
    -- Rows without a sale.
    (40, 'proceeds', '± adjustments', 'payments', 'export payments'),
    -- Withheld tax, with the sign that makes the row add up.
    (41, 'proceeds', '− withholding tax', 'payments', 'export payments'),
    (42, 'proceeds', '− carried forward, under the threshold', 'payments', 'export payments'),
    (43, 'proceeds', '± owed otherwise than its parts', 'payments', 'breaks PAYMENT_DIFF'),
    (44, 'proceeds', '= owed and paid out', 'payments', 'export payments'),
    -- Difference between the amounts carried forward by the previous period and brought forward by this one; not part of the
    -- sum above.
    (45, 'proceeds', 'Carried by the period before and not brought forward', 'payments', 'breaks PAYMENT_DIFF'),
    (51, 'bank', 'Owed at the printed rates', 'payments', 'export payments'),
    (52, 'bank', '± rounding of the printed rates', 'payments', 'breaks FX_RATE_ROUNDING'),
    -- The amount that Apple states as paid.
    (53, 'bank', '= proceeds', 'payments', 'export payments'),
    (54, 'bank', '± bank differs, or not there yet', 'bank', 'breaks PAYMENT_DIFF'),
    (55, 'bank', '= bank', 'bank', 'export payments')
) as line (line_no, section, label, source, ref);
