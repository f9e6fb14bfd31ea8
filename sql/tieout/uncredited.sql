-- purpose: whether money may still arrive at the bank, because Apple only estimates it or has just paid it out. Also which bank
--          statements end too early to show a missing credit.
-- grain:   one row; ends is null if all statements extend far enough
select
    coalesce(bool_or(not is_passed), false) or exists (select 1 from tie_payment where tie_payment.is_estimate) as is_waiting,
    phrase('said.apart', jsonb_agg(
        phrase(
            'night.bank_ends', 'currency', bank_currency, 'day', statement_end::text, 'due', due::text, 'until', last_day::text
        ) order by bank_currency, label, due
    ) filter (where is_passed and not is_over))::text as ends
from tie_uncredited;
