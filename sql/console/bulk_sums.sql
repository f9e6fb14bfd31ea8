-- purpose: amounts at stake of some cases by currency; amounts of different currencies are never added.
-- parameters: case_ids (text[])
-- grain:   one row per currency, one for cases without an amount
select
    kept.currency, count(*) as case_count,
    money_text(sum(kept.amount_milliunits), kept.currency) as at_stake
from console_cases as kept
where kept.case_id = any(:'case_ids'::text[])
group by kept.currency
order by kept.currency nulls last;
