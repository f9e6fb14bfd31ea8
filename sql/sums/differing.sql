-- purpose: sums that differ from the charges and orders.
-- parameters: day (text): YYYY-MM-DD of the sums to compare, empty for all; rows/set_viewed.sql sets the clock, which is that of
--             the sums, and our apps
-- grain:   one row per row of report_sums that is wrong, missing or superfluous
with true_sum as materialized (
    select
        fact.bundle_id, fact.environment, fact.currency, fact.day, fact.measure, coalesce(fact.part, '') as part, count(*) as row_count,
        sum(fact.n)::bigint as n, coalesce(sum(fact.amount), 0) as amount
    from fact_rows() as fact
    where :'day'::text = '' or fact.day = nullif(:'day'::text, '')::date
    group by 1, 2, 3, 4, 5, 6
),
known as materialized (
    select
        report_sums.bundle_id, report_sums.environment, report_sums.currency, report_sums.day, report_sums.measure, report_sums.part,
        report_sums.row_count, report_sums.n, report_sums.amount
    from payrecon.report_sums
    where :'day'::text = '' or report_sums.day = nullif(:'day'::text, '')::date
),
differing_sum as (
    (select true_sum.* from true_sum except select known.* from known)
    union all
    (select known.* from known except select true_sum.* from true_sum)
)
select distinct
    concat_ws(' ', differing_sum.measure, nullif(differing_sum.part, ''), differing_sum.bundle_id, differing_sum.environment,
        differing_sum.currency, differing_sum.day) as sums
from differing_sum
order by sums;
