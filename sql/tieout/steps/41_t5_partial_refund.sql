-- purpose: T5: a partial refund. Apple may print it as one unit of any price up to the charge's cost, up to sixty days
--          apart. Refunds and returns near each other are paired first, as for T3. A return is first paired with the cheapest
--          charges that allow it, then with dearer ones.
-- parameters: gap (bigint: days between neighbours that separate two groups; the step runs for each gap, the least first)
-- grain:   one pair per cell of ours and cell of Apple's, in order of days
insert into tie_pair (cause, l1_no, l3_no, units, detail)
with side as (
    select
        tie_rest.cell_no, tie_rest.product_no, tie_rest.day, tie_rest.price, tie_rest.cost, tie_rest.l3_left,
        -- A period without a report may still contain the refund.
        case when tie_period.source is null then 0 else tie_rest.partial_left end as l1_left,
        tie_rest.day - lag(tie_rest.day) over (partition by tie_rest.product_no order by tie_rest.day, tie_rest.cell_no) as days_after
    from tie_rest
    inner join tie_period on tie_period.fiscal_period = tie_rest.fiscal_period
    where tie_rest.sign = -1
        and (tie_rest.l3_left > 0 or tie_rest.partial_left > 0 and tie_period.source is not null)
),
grouped as materialized (
    select side.*, count(*) filter (where days_after > :'gap'::bigint) over (partition by product_no order by day, cell_no) as group_no
    from side
),
ours as materialized (
    select
        cell_no, product_no, group_no, day, cost, l1_left,
        sum(l1_left) over (partition by product_no, group_no, cost order by day, cell_no) as upto
    from grouped
    where l1_left > 0
),
theirs as materialized (
    select
        grouped.cell_no, product_no, group_no, grouped.day, grouped.price, grouped.l3_left, min(costs.cost) as cost,
        sum(grouped.l3_left) over (partition by product_no, group_no, min(costs.cost) order by grouped.day, grouped.cell_no) as upto
    from grouped
    inner join (select distinct ours.product_no, ours.group_no, ours.cost from ours) as costs using (product_no, group_no)
    where grouped.l3_left > 0
        and costs.cost >= grouped.price
    group by 1, 2, 3, 4, 5, 6
),
pair_at_cost as materialized (
    select ours.cell_no as l1_no, theirs.cell_no as l3_no, theirs.day, shared.units
    from ours
    inner join theirs using (product_no, group_no, cost)
    cross join lateral (select paired_units(ours.upto, ours.l1_left, theirs.upto, theirs.l3_left) as units) as shared
    where shared.units > 0
        and abs(theirs.day - ours.day) <= 60
),
our_rest as (
    select pass.*, sum(pass.l1_left) over (partition by pass.product_no, pass.group_no order by pass.day, pass.cell_no) as upto
    from (
        select ours.cell_no, ours.product_no, ours.group_no, ours.day, ours.cost, ours.l1_left - coalesce(paired.units, 0) as l1_left
        from ours
        left join (select l1_no, sum(units) as units from pair_at_cost group by l1_no) as paired on paired.l1_no = ours.cell_no
    ) as pass
    where pass.l1_left > 0
),
their_rest as (
    select pass.*, sum(pass.l3_left) over (partition by pass.product_no, pass.group_no order by pass.day, pass.cell_no) as upto
    from (
        select
            theirs.cell_no, theirs.product_no, theirs.group_no, theirs.day, theirs.price,
            theirs.l3_left - coalesce(paired.units, 0) as l3_left
        from theirs
        left join (select l3_no, sum(units) as units from pair_at_cost group by l3_no) as paired on paired.l3_no = theirs.cell_no
    ) as pass
    where pass.l3_left > 0
)
select 'T5', pair_at_cost.l1_no, pair_at_cost.l3_no, pair_at_cost.units, phrase('detail.part_of_price', 'day', pair_at_cost.day::text)
from pair_at_cost
union all
select 'T5', ours.cell_no, theirs.cell_no, shared.units, phrase('detail.part_of_price', 'day', theirs.day::text)
from our_rest as ours
inner join their_rest as theirs using (product_no, group_no)
cross join lateral (select paired_units(ours.upto, ours.l1_left, theirs.upto, theirs.l3_left) as units) as shared
where shared.units > 0
    and abs(theirs.day - ours.day) <= 60
    and theirs.price <= ours.cost;
