-- purpose: the lines of Apple's reports, rows of payments and credits behind each figure of the way from earned to the bank: what each adds
--          to it.
-- parameters: fiscal_period, region, proceeds_currency, figure (text: column of tieout_regions; empty for all of them, - for a cell that is
--          empty); rows/ask_period.sql says the period and the clock of its tie-out
-- grain:   one row per figure and line, row of a payment or credit; the values of a figure add up to it
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
        place.region, place.currency, part.figure, 'report line' as kind, bytes_of_file(told.file_sha256) || ':' || told.line as id,
        told.detail, part.value
    from place
    inner join earned_lines() as told on told.region = place.region and told.currency = place.currency
    cross join lateral (values
        ('units', case when told.report = place.units_from then told.quantity end),
        ('earned_detail', case when told.report = 'FINANCE_DETAIL' then told.amount end),
        ('earned_financial', case when told.report = 'FINANCIAL' then told.amount end),
        (
            'diff_detail_vs_financial',
            case
                when place.earned_detail is not null and place.earned_financial is not null
                    then case told.report when 'FINANCE_DETAIL' then told.amount else -told.amount end
            end
        )
    ) as part (figure, value)
    union all
    select
        place.region, place.currency, part.figure, 'payment', bytes_of_file(told.file_sha256) || ':' || told.line, told.name, part.value
    from place
    inner join paid_lines() as told on told.region = place.region and told.currency = place.currency
    cross join lateral (values
        ('units', case when place.units_from = 'payment' then told.units end),
        ('earned_payments_csv', told.earned), ('brought_forward', told.balance), ('pre_tax_subtotal', told.pre_tax_subtotal),
        ('input_tax', told.input_tax), ('adjustments', told.adjustments), ('withholding_tax', told.withholding_tax),
        ('total_owed', told.total_owed), ('proceeds_bank_ccy', told.proceeds),
        ('carried_forward', case when not (told.is_estimate or coalesce(place.is_paid, false)) then told.total_owed end)
    ) as part (figure, value)
    union all
    -- The credit less what it should be: the whole that was paid out in its currency, or the region's own.
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
