-- purpose: the report lines, payment rows and credits behind each figure from earned money to the bank.
-- parameters: fiscal_period, region, proceeds_currency, figure (text: column of tieout_regions; empty for all, - for an
--             empty cell); rows/set_viewed_period.sql sets the period and the clock of its tie-out
-- grain:   one row per figure and line, payment row or credit; the values of a figure add up to it
with place as materialized (
    select
        paid.*,
        case
            when paid.earned_detail is not null then 'FINANCE_DETAIL'
            when paid.earned_financial is not null then 'FINANCIAL'
            else 'payment'
        end as units_from
    from tieout_payments as paid
    where paid.fiscal_period = viewed_period()
        and paid.as_of = viewed_at()
),
line as (
    select
        place.region, place.currency, part.figure, 'report line' as kind, bytes_of_file(printed.file_sha256) || ':' || printed.line as id,
        printed.detail, part.value
    from place
    inner join earned_lines() as printed on printed.region = place.region and printed.currency = place.currency
    cross join lateral (values
        ('units', case when printed.report = place.units_from then printed.quantity end),
        ('earned_detail', case when printed.report = 'FINANCE_DETAIL' then printed.amount end),
        ('earned_financial', case when printed.report = 'FINANCIAL' then printed.amount end),
        (
            'diff_detail_vs_financial',
            case
                when place.earned_detail is not null and place.earned_financial is not null
                    then case printed.report when 'FINANCE_DETAIL' then printed.amount else -printed.amount end
            end
        )
    ) as part (figure, value)
    union all
    select
        place.region, place.currency, part.figure, 'payment', bytes_of_file(printed.file_sha256) || ':' || printed.line, printed.name,
        part.value
    from place
    inner join paid_lines() as printed on printed.region = place.region and printed.currency = place.currency
    cross join lateral (values
        ('units', case when place.units_from = 'payment' then printed.units end),
        ('earned_payments_csv', printed.earned), ('brought_forward', printed.balance), ('pre_tax_subtotal', printed.pre_tax_subtotal),
        ('input_tax', printed.input_tax), ('adjustments', printed.adjustments), ('withholding_tax', printed.withholding_tax),
        ('total_owed', printed.total_owed), ('proceeds_bank_ccy', printed.proceeds),
        ('carried_forward', case when not (printed.is_estimate or coalesce(place.is_paid, false)) then printed.total_owed end)
    ) as part (figure, value)
    union all
    -- The credit less its expected amount: the total paid out in its currency, or the region's amount.
    select
        place.region, place.currency, part.figure, part.kind, coalesce(place.bank_reference, ''),
        concat_ws(' ', 'paid on', place.paid_on), part.value
    from place
    cross join lateral (values
        ('bank_amount', 'bank line', place.bank_amount), ('bank_diff', 'bank line', place.bank_amount),
        ('bank_diff', 'paid out', case when place.bank_amount is not null then -place.bank_expected end)
    ) as part (figure, kind, value)
)
select
    viewed_period() as fiscal_period, line.region, line.currency as proceeds_currency, line.figure, line.kind, line.id, line.detail,
    trim_scale(line.value)::text as value
from line
where :'fiscal_period'::text in ('', viewed_period())
    and :'region'::text in ('', coalesce(nullif(line.region, ''), '-'))
    and :'proceeds_currency'::text in ('', line.currency)
    and :'figure'::text in ('', line.figure)
    and line.value <> 0
order by line.region collate "C", line.currency, line.figure, abs(line.value) desc, line.kind, line.id collate "C";
