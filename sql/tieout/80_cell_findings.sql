-- purpose: breaks of the period's cells: CELL_DIFF for unexplained units, L3_NO_L1 for sales without evidence, LATE_SETTLE
--          for sales that settled more days later than allowed, REFUND_UNSEEN, and NEVER_COLLECTED if the cell does not
--          determine the charges.
-- parameters: late_days (bigint)
-- grain:   one finding per cell and class
insert into finding (class, subject_id, bundle_id, environment, currency, detail, amount_milliunits, breaks_at)
-- The minimum number of days between a sale and its settlement; a report without days gives only its period.
with late as (
    select
        tie_part.cell_no, tie_part.counter_no,
        coalesce(counter.settlement_from, later.starts_on)
        - case ours.source when 'FINANCIAL' then ours.ends_on else tie_result.day end as days
    from tie_part
    inner join tie_result on tie_result.cell_no = tie_part.cell_no
    inner join tie_cell as counter on counter.cell_no = tie_part.counter_no
    inner join tie_period as ours on ours.period_no = tie_result.period_no
    inner join tie_period as later on later.period_no = counter.period_no
    where tie_part.cause = 'T1'
        and tie_part.units < 0
),
cause as (
    select cell_no, 'CELL_DIFF' as class, unexplained_units as units, phrase('detail.cell_unexplained') as why
    from tie_result
    where unexplained_units <> 0
    union all
    select
        tie_part.cell_no,
        case tie_part.cause
            when 'T1' then 'LATE_SETTLE' when 'T2' then 'NEVER_COLLECTED' when 'T4' then 'REFUND_UNSEEN' else 'L3_NO_L1'
        end,
        sum(tie_part.units),
        case tie_part.cause
            when 'T1' then (
                select phrase('said.apart', jsonb_agg(settled.why order by english(settled.why) collate "C"))
                from (select distinct part.why from unnest(array_agg(tie_part.detail)) as part (why)) as settled
            )
            else (array_agg(tie_part.detail order by english(tie_part.detail) collate "C"))[1]
        end
    from tie_part
    left join late on late.cell_no = tie_part.cell_no and late.counter_no = tie_part.counter_no
    where tie_part.cause in ('T2', 'T4', 'T13')
        or tie_part.cause = 'T1' and tie_part.units < 0 and late.days > :'late_days'::bigint
    group by tie_part.cell_no, tie_part.cause
)
select
    cause.class,
    'cell:' || tie_result.fiscal_period || ':' || tie_result.cell_id || ':' || cause.class,
    tie_result.bundle_id,
    'Production',
    nullif(tie_result.currency, ''),
    phrase(
        case
            -- A report without days names only the period.
            when tie_period.source = 'FINANCIAL'
                then case when tie_result.sign < 0 then 'detail.cell_returned_in' else 'detail.cell_sold_in' end
            when tie_result.sign < 0 then 'detail.cell_returned'
            else 'detail.cell_sold'
        end,
        jsonb_build_object(
            'units', abs(cause.units), 'sku', tie_result.sku, 'place', coalesce(tie_result.storefront, tie_result.country),
            'day', tie_result.day::text, 'price', money_text(round(tie_result.price * 1000), tie_result.currency), 'why', cause.why,
            'cell', tie_result.cell_id, 'period', tie_result.fiscal_period, 'ours', tie_result.l1_units, 'theirs', tie_result.l3_units
        )
    ),
    least(abs(cause.units) * tie_result.price * 1000, 9000000000000000000)::bigint,
    least(tie_run.as_of, apple_midnight(tie_run.ends_on + 1))
from cause
inner join tie_result on tie_result.cell_no = cause.cell_no
cross join tie_run
inner join tie_period on tie_period.fiscal_period = tie_run.fiscal_period
where cause.class <> 'NEVER_COLLECTED'
    or abs(cause.units) < tie_result.l1_units;
