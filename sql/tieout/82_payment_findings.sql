-- purpose: PAYMENT_DIFF where the reports, the payment and the bank disagree; FX_RATE_ROUNDING where no more than the digits of the
--          printed rate are missing.
-- parameters: none
-- grain:   one finding per region, currency and kind of difference
insert into finding (class, subject_id, environment, currency, detail, amount_milliunits, breaks_at)
with paid as (
    select
        tie_payment.*,
        owed_recomputed(
            brought_forward, earned_payment, pre_tax_subtotal, input_tax, adjustments, withholding_tax, total_owed
        ) as recomputed,
        round(
            total_owed * rate_printed,
            case currency_unit(coalesce(tie_payment.bank_currency, '')) when 1000 then 0 when 1 then 3 else 2 end
        ) as exchanged
    from tie_payment
),
earned as (
    select
        whole_region(region) as region, currency, sum(earned_payment) as earned_payment, sum(earned_detail) as earned_detail,
        sum(earned_financial) as earned_financial, bool_or(region_name is not null) as is_told
    from tie_payment
    group by whole_region(region), currency
),
difference as (
    select 'PAYMENT_DIFF' as class, 'reports' as kind, region, currency, currency as of_currency,
        'FINANCE_DETAIL says ' || earned_detail || ', FINANCIAL ' || earned_financial as detail,
        earned_detail - earned_financial as amount
    from earned
    where earned_detail <> earned_financial
    union all
    select 'PAYMENT_DIFF', 'earned', region, currency, currency,
        'the payment says ' || earned_payment || ' earned, the reports ' || coalesce(earned_detail, earned_financial, 0),
        earned_payment - coalesce(earned_detail, earned_financial, 0)
    from earned
    where is_told
        and coalesce(earned_payment, 0) <> coalesce(earned_detail, earned_financial, 0)
    union all
    select 'PAYMENT_DIFF', 'missing', region, currency, currency,
        'the reports say ' || coalesce(earned_detail, earned_financial) || ' earned, and no row of the payment is of it',
        coalesce(earned_detail, earned_financial)
    from earned
    where not is_told
        and coalesce(earned_detail, earned_financial) <> 0
        and exists (select 1 from earned as beside where beside.is_told)
    union all
    select 'PAYMENT_DIFF', 'owed', region, currency, currency,
        'total owed is ' || total_owed || ', its parts come to ' || recomputed, total_owed - recomputed
    from paid
    where total_owed <> recomputed
    union all
    select
        case when is_rate_off(total_owed, rate_printed, proceeds, bank_currency) then 'PAYMENT_DIFF' else 'FX_RATE_ROUNDING' end, 'rate',
        region, currency,
        bank_currency,
        total_owed || ' at the printed rate ' || rate_printed || ' is ' || exchanged || ', paid were ' || proceeds
        || '; the rate was ' || coalesce(derived_rate(proceeds, total_owed)::text, 'none'),
        proceeds - exchanged
    from paid
    where is_paid
        and proceeds <> exchanged
    union all
    select
        'PAYMENT_DIFF', case payer_count when 1 then 'bank' else 'bank ' || label end, '', bank_currency, bank_currency,
        'paid out were ' || due || ', the bank has ' || amount || case payer_count when 1 then '' else ' (' || label || ')' end,
        amount - due
    from tie_credit
    where amount <> due
)
select
    class,
    'payment:' || tie_run.fiscal_period || ':' || region || ':' || difference.currency || ':' || kind,
    'Production',
    of_currency,
    tie_run.fiscal_period || ' ' || concat_ws(' ', nullif(region, ''), difference.currency) || ': ' || detail,
    least(abs(amount) * 1000, 9000000000000000000)::bigint,
    least(tie_run.as_of, apple_midnight(tie_run.ends_on + 1))
from difference
cross join tie_run;
