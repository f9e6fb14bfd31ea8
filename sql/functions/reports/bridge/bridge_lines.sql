-- purpose: the lines of the auditors' bridge, in the order in which an auditor walks it: what is said of each, and where to look further.
-- grain:   one row per line
create or replace view payrecon.bridge_lines with (security_invoker = true) as
select told.line_no, told.section, told.label, told.source, told.ref
from (values
    -- Our own orders of the calendar month that the period is named after; counts of this section are of units.
    (1, 'customer', 'Own orders, calendar month', 'orders', 'export orders'),
    -- Days of the fiscal period outside of the month.
    (2, 'customer', '+ in the fiscal period, not in the month', 'orders', 'export orders'),
    -- Days of the month outside of the fiscal period.
    (3, 'customer', '− in the month, not in the fiscal period', 'orders', 'export orders'),
    -- Our own orders of the fiscal period, asked for by themselves.
    (4, 'customer', '= own orders, fiscal period', 'orders', 'export orders'),
    -- Orders that no money stands behind.
    (5, 'customer', '− sandbox', 'orders', 'breaks SANDBOX_IN_PROD'),
    -- Orders that claim a purchase which another order has.
    (6, 'customer', '− duplicates', 'orders', 'breaks DUP_DELIVERY, REPLAY_MULTI_USER'),
    -- Orders on access that was shared or cost nothing.
    (7, 'customer', '− free and family', 'orders', 'export matches'),
    -- What Apple charged and no order has.
    (8, 'customer', '+ charges without order', 'charges', 'breaks TX_NO_ORDER'),
    -- Orders that no charge stands behind.
    (9, 'customer', '− orders without charge', 'orders', 'breaks ORDER_NO_TX'),
    -- Matched pairs of which one side has another price, another quantity or another day.
    (10, 'customer', '± price and period of matched pairs', 'matches', 'breaks AMOUNT_DIFF'),
    -- What our side of the cells sold.
    (11, 'customer', '= our charges of the period', 'charges', 'export cells, l1_gross'),
    -- Refunds of the period whose sale lies in it, too.
    (12, 'customer', '− refunds of sales of this period', 'charges', 'report refunds'),
    -- Refunds of the period whose sale lies before it.
    (13, 'customer', '− refunds of earlier sales', 'charges', 'report refunds'),
    -- Our side of the cells, sales and returns.
    (14, 'customer', '= our side of the cells', 'charges', 'export cells, l1_gross'),
    -- What may settle in a period that was not read yet.
    (15, 'customer', '− not yet settled', 'cells', 'export cells, open'),
    -- What settled in a later period.
    (16, 'customer', '− settled in later periods', 'T1', 'export cells, explained_T1'),
    -- Sales of earlier periods that settled in this one.
    (17, 'customer', '+ settled from earlier periods', 'T1', 'export cells, explained_T1'),
    -- What Apple never collected.
    (18, 'customer', '− never collected', 'T2', 'breaks NEVER_COLLECTED'),
    -- What lies on another day for Apple; nothing within a period.
    (19, 'customer', '± day boundary', 'T14', 'export cells, explained_T14'),
    -- The same sale at another price; and what our charges cost beside Apple's price of one unit.
    (20, 'customer', '± preserved or changed price, and what no quantity divides', 'T18, cells', 'export cells, explained_T18'),
    -- Refunds that Apple books otherwise.
    (21, 'customer', '± refunds on other days or reversed, parts of prices, upgrades', 'T3, T5, T17', 'export cells'),
    -- Refunds that only Apple shows.
    (22, 'customer', '− refunds in the Apple report alone', 'T4', 'breaks REFUND_UNSEEN'),
    -- Sales that only Apple shows.
    (23, 'customer', '+ sales that no evidence shows', 'T13', 'breaks L3_NO_L1'),
    -- Charges that two people called duplicates.
    (24, 'customer', '− benign duplicates', 'T12', 'queue'),
    -- Trials and codes, which Apple's report counts and our side of the cells does not; they bring nothing.
    (25, 'customer', '+ free in the Apple report, counts only', 'T16', 'export cells, explained_T16'),
    -- What nothing explains.
    (26, 'customer', '± UNEXPLAINED', 'cells', 'breaks CELL_DIFF'),
    -- Apple's side of the cells, asked for by itself.
    (27, 'customer', '= customer value in the Apple report', 'report lines', 'export cells, l3_gross'),
    -- What customers paid in the currency of the proceeds.
    (31, 'proceeds', 'Customer value in this currency', 'report lines', 'export cells, l3_gross'),
    -- The tax in these prices by the rates of the settings; nothing where none is set.
    (32, 'proceeds', '− tax in price (estimate)', 'settings finance.tax', 'settings show'),
    -- What lies between price and proceeds besides.
    (33, 'proceeds', '− commission, and tax that no setting tells', 'report lines', 'export cells'),
    -- Sales whose customers paid in another currency than Apple pays us.
    (34, 'proceeds', '+ proceeds of sales in other currencies', 'report lines', 'export cells, l3_extended_share'),
    -- Money of what is no in-app purchase.
    (35, 'proceeds', '+ apps, bundles and other products', 'report lines', 'export finance-lines'),
    -- What Apple reports as earned, asked for by itself.
    (36, 'proceeds', '= earned in the report', 'report lines', 'report tieout, level B'),
    -- What the payment calls earned and the report does not.
    (37, 'proceeds', '± earned otherwise in the payment', 'payments', 'breaks PAYMENT_DIFF'),
    -- Balances of earlier periods.
    (38, 'proceeds', '+ brought forward', 'payments', 'export payments'),
    -- Tax on commission.
    (39, 'proceeds', '± input tax', 'payments', 'export payments'),
    -- Rows without sale.
    (40, 'proceeds', '± adjustments', 'payments', 'export payments'),
    -- Tax withheld, with the sign that lets the row add up.
    (41, 'proceeds', '− withholding tax', 'payments', 'export payments'),
    -- What was not paid.
    (42, 'proceeds', '− carried forward, under the threshold', 'payments', 'export payments'),
    -- What a total says and its parts do not.
    (43, 'proceeds', '± owed otherwise than its parts', 'payments', 'breaks PAYMENT_DIFF'),
    -- What was paid out, asked for by itself.
    (44, 'proceeds', '= owed and paid out', 'payments', 'export payments'),
    -- What the payment of the period before carried forward and this one does not bring forward, or otherwise; beside the sum above.
    (45, 'proceeds', 'Carried by the period before and not brought forward', 'payments', 'breaks PAYMENT_DIFF'),
    -- Each row of the payment at the rate that is printed.
    (51, 'bank', 'Owed at the printed rates', 'payments', 'export payments'),
    -- What the digits of the printed rates leave out.
    (52, 'bank', '± rounding of the printed rates', 'payments', 'breaks FX_RATE_ROUNDING'),
    -- What Apple says it paid.
    (53, 'bank', '= proceeds', 'payments', 'export payments'),
    -- What came otherwise than Apple says.
    (54, 'bank', '± bank differs, or not there yet', 'bank', 'breaks PAYMENT_DIFF'),
    -- What the bank has.
    (55, 'bank', '= bank', 'bank', 'export payments')
) as told (line_no, section, label, source, ref);
