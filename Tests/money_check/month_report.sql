-- purpose: the lines of public.month_line as a FINANCE_DETAIL report prints them.
-- grain:   one row per line of the report
select
    to_char(day, 'MM/DD/YYYY'), to_char(least(day + 2, date '2026-08-29'), 'MM/DD/YYYY'), '1500', sku, 'Pack', 'Acme Ltd', 'IA1',
    country, units * sign, round(price * 0.0007, 2), units * sign * round(price * 0.0007, 2), currency,
    price / 1000, currency, case sign when 1 then 'S' else 'R' end, '', '', region
from public.month_line
