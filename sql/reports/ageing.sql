-- purpose: the ageing matrix: undecided breaks of each class by age, with the class's movement in the 24 hours before the
--          clock. closing counts open breaks, undecided and decided; its amount is at stake, so undecided only.
-- parameters: none; rows/ask.sql sets the clock
-- grain:   one row per class x currency (null for breaks without money); Sandbox breaks are counted, never valued
with age_row as materialized (select * from ageing_rows() as aged),
-- Aggregated once for all figures.
counted as (
    select age_row.class, age_row.currency, age_row.measure, age_row.bucket, count(*) as row_count, sum(age_row.amount) as amount
    from age_row
    group by age_row.class, age_row.currency, age_row.measure, age_row.bucket
),
figure as (
    select
        counted.class, counted.currency, named.figure,
        sum(case when named.is_money then counted.amount else counted.row_count end) as value
    from counted
    inner join ageing_figures as named
        on named.measure = counted.measure
        and named.bucket in (0, counted.bucket)
    group by counted.class, counted.currency, named.figure
),
oldest as (
    select distinct on (age_row.class, age_row.currency) age_row.class, age_row.currency, age_row.break_id, age_row.opened_at
    from age_row
    where age_row.measure = 'undecided'
    order by age_row.class, age_row.currency, age_row.opened_at, age_row.break_id collate "C"
),
total as (
    select
        class, currency,
        coalesce(sum(value) filter (where figure = 'count_0_1'), 0)::bigint as count_0_1,
        coalesce(sum(value) filter (where figure = 'amount_0_1_milliunits'), 0) as amount_0_1_milliunits,
        coalesce(sum(value) filter (where figure = 'count_2_7'), 0)::bigint as count_2_7,
        coalesce(sum(value) filter (where figure = 'amount_2_7_milliunits'), 0) as amount_2_7_milliunits,
        coalesce(sum(value) filter (where figure = 'count_8_30'), 0)::bigint as count_8_30,
        coalesce(sum(value) filter (where figure = 'amount_8_30_milliunits'), 0) as amount_8_30_milliunits,
        coalesce(sum(value) filter (where figure = 'count_31_60'), 0)::bigint as count_31_60,
        coalesce(sum(value) filter (where figure = 'amount_31_60_milliunits'), 0) as amount_31_60_milliunits,
        coalesce(sum(value) filter (where figure = 'count_over_60'), 0)::bigint as count_over_60,
        coalesce(sum(value) filter (where figure = 'amount_over_60_milliunits'), 0) as amount_over_60_milliunits,
        coalesce(sum(value) filter (where figure = 'opening_count'), 0)::bigint as opening_count,
        coalesce(sum(value) filter (where figure = 'new_count'), 0)::bigint as new_count,
        coalesce(sum(value) filter (where figure = 'resolved_count'), 0)::bigint as resolved_count,
        coalesce(sum(value) filter (where figure = 'closing_count'), 0)::bigint as closing_count,
        coalesce(sum(value) filter (where figure = 'closing_amount_milliunits'), 0) as closing_amount_milliunits,
        coalesce(sum(value) filter (where figure = 'undecided_count'), 0)::bigint as undecided_count,
        coalesce(sum(value) filter (where figure = 'decided_count'), 0)::bigint as decided_count,
        coalesce(sum(value) filter (where figure = 'decided_amount_milliunits'), 0) as decided_amount_milliunits
    from figure
    group by class, currency
)
select
    total.class, break_classes.severity, break_classes.owner_team,
    nullif(total.currency, '') as currency,
    total.count_0_1, total.amount_0_1_milliunits, total.count_2_7, total.amount_2_7_milliunits, total.count_8_30,
    total.amount_8_30_milliunits, total.count_31_60, total.amount_31_60_milliunits, total.count_over_60,
    total.amount_over_60_milliunits, total.opening_count, total.new_count, total.resolved_count, total.closing_count,
    total.closing_amount_milliunits, oldest.break_id as oldest_id,
    to_char(oldest.opened_at at time zone 'UTC', 'YYYY-MM-DD') as oldest_opened_on,
    total.undecided_count, total.decided_count, total.decided_amount_milliunits::bigint as decided_amount_milliunits
from total
inner join break_classes on break_classes.class = total.class
left join oldest on oldest.class = total.class and oldest.currency = total.currency
order by
    -severity_rank(break_classes.severity), total.class collate "C",
    total.currency collate "C";
