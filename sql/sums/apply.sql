-- purpose: adds the changes to the sums, and removes sums without remaining rows.
-- grain:   one row per row of report_sums
insert into payrecon.report_sums as known (bundle_id, environment, currency, day, measure, part, row_count, n, amount)
select bundle_id, environment, currency, day, measure, part, sum(row_count), sum(n), sum(amount)
from sums_change
group by bundle_id, environment, currency, day, measure, part
having sum(row_count) <> 0 or sum(n) <> 0 or sum(amount) <> 0
on conflict (bundle_id, environment, currency, day, measure, part) do update
set
    row_count = known.row_count + excluded.row_count,
    n = known.n + excluded.n,
    amount = known.amount + excluded.amount;
delete from payrecon.report_sums where row_count = 0;
