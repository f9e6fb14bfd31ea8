-- purpose: PAYMENT_DIFF if the reports, the payment and the bank disagree. Also if this period lacks money that the
--          previous one carried forward, or if no credit came in the weeks in which Apple pays. FX_RATE_ROUNDING if a
--          vendor's row differs only by missing digits of the printed rate. A month that Apple only estimates has no
--          differences. Vendors are compared separately if the names of the compared files state them.
-- grain:   one finding per region, currency and kind of difference
insert into finding (class, subject_id, environment, currency, detail, amount_milliunits, breaks_at)
with paid as (
    select
        tie_paid.*,
        owed_recomputed(balance, earned, pre_tax_subtotal, input_tax, adjustments, withholding_tax, total_owed) as recomputed
    from tie_paid
    where not is_estimate
),
exchanged as (
    select
        tie_paid.*, at_printed_rate(total_owed, rate_printed, bank_currency) as exchanged,
        is_rate_off(total_owed, rate_printed, proceeds, bank_currency) as is_off
    from tie_paid
    where is_paid
),
side as (
    select
        whole_region(region) as region, currency, vendor, earned as payment, null::numeric as detail, null::numeric as financial,
        true as is_payment, is_estimate
    from tie_paid
    union all
    select
        region, currency, vendor, null, case report when 'FINANCE_DETAIL' then amount end, case report when 'FINANCIAL' then amount end,
        false, false
    from tie_earned
),
-- Whether the names state the vendors: of the reports, which are compared with each other, and of reports and payments.
named as (
    select
        compared.with_payments, min(side.vendor) <> '' and min(side.vendor) < max(side.vendor) as is_split
    from (values (false), (true)) as compared (with_payments)
    inner join side on compared.with_payments or not side.is_payment
    group by compared.with_payments
),
earned as (
    select
        named.with_payments, side.region, side.currency, case when named.is_split then side.vendor else '' end as vendor,
        sum(side.payment) as earned_payment, sum(side.detail) as earned_detail, sum(side.financial) as earned_financial,
        bool_or(side.is_payment) as is_reported, bool_or(side.is_estimate) as is_estimated
    from side
    inner join named on named.with_payments or not side.is_payment
    group by 1, 2, 3, 4
),
difference as (
    select 'PAYMENT_DIFF' as class, 'reports' as kind, vendor, region, currency, currency as of_currency,
        phrase('detail.payment_reports', 'detail', earned_detail::text, 'financial', earned_financial::text) as detail,
        earned_detail - earned_financial as amount
    from earned
    where not with_payments
        and earned_detail <> earned_financial
    union all
    select 'PAYMENT_DIFF', 'earned', vendor, region, currency, currency,
        phrase(
            'detail.payment_earned', 'paid', earned_payment::text, 'reported', coalesce(earned_detail, earned_financial, 0)::text
        ),
        earned_payment - coalesce(earned_detail, earned_financial, 0)
    from earned
    where with_payments
        and is_reported
        and not is_estimated
        and coalesce(earned_payment, 0) <> coalesce(earned_detail, earned_financial, 0)
    union all
    select 'PAYMENT_DIFF', 'missing', vendor, region, currency, currency,
        phrase('detail.payment_missing', 'reported', coalesce(earned_detail, earned_financial)::text),
        coalesce(earned_detail, earned_financial)
    from earned
    where with_payments
        and not is_reported
        and coalesce(earned_detail, earned_financial) <> 0
        and exists (select 1 from earned as beside where beside.is_reported and not beside.is_estimated)
    union all
    select 'PAYMENT_DIFF', 'owed', '', region, currency, currency,
        phrase('said.apart', jsonb_agg(
            phrase('detail.payment_owed', 'owed', total_owed::text, 'parts', recomputed::text) order by file_sha256, line
        )),
        sum(abs(total_owed - recomputed))
    from paid
    where total_owed <> recomputed
    group by region, currency
    union all
    select
        case when bool_or(is_off) then 'PAYMENT_DIFF' else 'FX_RATE_ROUNDING' end, 'rate', '', region, currency, min(bank_currency),
        phrase('said.apart', jsonb_agg(
            coalesce(
                phrase(
                    'detail.payment_rate', 'owed', total_owed::text, 'printed', rate_printed::text, 'exchanged', exchanged::text,
                    'paid', proceeds::text, 'rate', derived_rate(proceeds, total_owed)::text
                ),
                phrase(
                    'detail.payment_rate_none', 'owed', total_owed::text, 'printed', rate_printed::text, 'exchanged', exchanged::text,
                    'paid', proceeds::text
                )
            )
            order by file_sha256, line
        )),
        sum(abs(proceeds - exchanged))
    from exchanged
    where proceeds <> exchanged
    group by region, currency
    union all
    select
        'PAYMENT_DIFF', 'carried', vendor, region, currency, currency,
        phrase('detail.payment_carried', 'carried', carried::text, 'brought', brought::text), brought - carried
    from carried_lines()
    where brought <> carried
    union all
    select
        'PAYMENT_DIFF', case payer_count when 1 then 'credit' else 'credit ' || label end, '', '', bank_currency, bank_currency,
        phrase(
            case payer_count when 1 then 'detail.payment_credit' else 'detail.payment_credit_payer' end, 'due', due::text,
            'payer', coalesce(label, '')
        ), due
    from tie_uncredited
    where is_over
    union all
    select
        'PAYMENT_DIFF', case payer_count when 1 then 'bank' else 'bank ' || label end, '', '', bank_currency, bank_currency,
        phrase(
            case payer_count when 1 then 'detail.payment_bank' else 'detail.payment_bank_payer' end, 'due', due::text,
            'amount', amount::text, 'payer', coalesce(label, '')
        ),
        amount - due
    from tie_credit
    where amount <> due
)
select
    class,
    'payment:' || tie_run.fiscal_period || ':' || region || ':' || difference.currency || ':' || concat_ws(' ', kind, nullif(vendor, '')),
    'Production',
    of_currency,
    phrase(
        case when region = '' then 'detail.payment_whole' when vendor = '' then 'detail.payment' else 'detail.payment_vendor' end,
        jsonb_build_object(
            'period', tie_run.fiscal_period, 'region', region, 'currency', difference.currency, 'why', detail, 'vendor', vendor
        )
    ),
    least(abs(amount) * 1000, 9000000000000000000)::bigint,
    least(tie_run.as_of, apple_midnight(tie_run.ends_on + case when kind like 'credit%' then 51 else 1 end))
from difference
cross join tie_run;
