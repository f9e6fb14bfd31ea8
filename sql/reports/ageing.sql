-- purpose: the ageing matrix: undecided breaks of each class by age, with the class's movement in the 24 hours before the
--          clock. closing counts open breaks, undecided and decided; its amount is at stake, so undecided only.
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
        (select jsonb_object_agg(ageing_figures.figure, 0) from ageing_figures)
        || jsonb_object_agg(figure, coalesce(value, 0)) as by_figure
    from figure
    group by class, currency
)
select
    total.class, break_classes.severity, break_classes.owner_team,
    nullif(total.currency, '') as currency,
    figures.*
from total
inner join break_classes on break_classes.class = total.class
left join oldest on oldest.class = total.class and oldest.currency = total.currency
cross join lateral jsonb_to_record(
    total.by_figure || jsonb_build_object(
        'oldest_id', oldest.break_id, 'oldest_opened_on', to_char(oldest.opened_at at time zone 'UTC', 'YYYY-MM-DD')
    )
) as figures (
    count_0_1 bigint, amount_0_1_milliunits numeric, count_2_7 bigint, amount_2_7_milliunits numeric, count_8_30 bigint,
    amount_8_30_milliunits numeric, count_31_60 bigint, amount_31_60_milliunits numeric, count_over_60 bigint,
    amount_over_60_milliunits numeric, opening_count bigint, new_count bigint, resolved_count bigint, closing_count bigint,
    closing_amount_milliunits numeric, oldest_id text, oldest_opened_on text, undecided_count bigint, decided_count bigint,
    decided_amount_milliunits bigint
)
order by
    -severity_rank(break_classes.severity), total.class collate "C",
    total.currency collate "C";
