-- purpose: earned money by region, its payment and the bank credit, with the differences between them (level B of the
--          tie-out).
-- parameters: as_of (timestamptz)
-- grain:   one row per fiscal period, region and currency of proceeds
select
    latest.fiscal_period, paid.region, paid.currency as proceeds_currency,
    paid.units::text as units,
    paid.earned_detail::text as earned_detail,
    paid.earned_financial::text as earned_financial,
    paid.earned_payment::text as earned_payments_csv,
    (paid.earned_detail - paid.earned_financial)::text as diff_detail_vs_financial,
    paid.brought_forward::text as brought_forward,
    paid.pre_tax_subtotal::text as pre_tax_subtotal,
    paid.input_tax::text as input_tax,
    paid.adjustments::text as adjustments,
    paid.withholding_tax::text as withholding_tax,
    paid.total_owed::text as total_owed,
    owed.recomputed::text as total_owed_recomputed,
    (paid.total_owed - owed.recomputed)::text as diff,
    paid.rate_printed::text as rate_printed,
    derived_rate(paid.proceeds, paid.total_owed)::text as rate_derived,
    paid.proceeds::text as proceeds_bank_ccy,
    paid.bank_currency as bank_ccy,
    case
        when paid.region_name is not null and not paid.is_estimate and not coalesce(paid.is_paid, false) then paid.total_owed
    end::text as carried_forward,
    paid.paid_on::text as paid_on,
    nullif(paid.bank_reference, '') as bank_ref,
    paid.bank_amount::text as bank_amount,
    (paid.bank_amount - paid.bank_expected)::text as bank_diff,
    case
        when paid.region_name is null and not whole.is_reported then 'no payment yet'
        when paid.is_estimate then 'estimated, payment pending'
        when (paid.region = whole.region or paid.region_name is null)
            and not whole.is_estimated
            and coalesce(whole.earned_payment, 0) <> coalesce(whole.earned_report, 0)
            or paid.earned_detail <> paid.earned_financial
            or paid.total_owed <> owed.recomputed
            or paid.bank_amount <> paid.bank_expected
            or paid.is_paid and is_rate_off(paid.total_owed, paid.rate_printed, paid.proceeds, paid.bank_currency)
            then 'differs'
        when paid.region_name is null then 'paid in parts'
        when not paid.is_paid then 'carried forward'
        when paid.bank_amount is null then 'paid, no bank line'
        else 'closed'
    end as status,
    paid.region_name,
    latest.starts_on::text as starts_on,
    latest.ends_on::text as ends_on,
    latest.calendar_month,
    paid.estimated_rate::text as estimated_rate,
    paid.estimated_from as estimated_from,
    paid.estimated_proceeds::text as estimated_proceeds,
    paid.estimated_currency as estimated_ccy
from latest_tieouts(:'as_of'::timestamptz) as latest
inner join tieout_payments as paid using (fiscal_period, as_of)
cross join lateral (
    select
        min(whole_region(part.region)) as region, sum(part.earned_payment) as earned_payment,
        coalesce(sum(part.earned_detail), sum(part.earned_financial)) as earned_report,
        bool_or(part.region_name is not null) as is_reported, bool_or(part.is_estimate) as is_estimated
    from tieout_payments as part
    where part.fiscal_period = paid.fiscal_period
        and part.as_of = paid.as_of
        and part.currency = paid.currency
        and whole_region(part.region) = whole_region(paid.region)
) as whole
cross join lateral (
    select case
        when paid.region_name is not null then owed_recomputed(
            paid.brought_forward, paid.earned_payment, paid.pre_tax_subtotal, paid.input_tax, paid.adjustments,
            paid.withholding_tax, paid.total_owed
        )
    end as recomputed
) as owed
order by latest.fiscal_period collate "C", paid.currency, paid.region;
