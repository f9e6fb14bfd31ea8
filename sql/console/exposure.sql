-- purpose: what is at stake in the cases that wait, by currency; amounts of different currencies are never added.
-- parameters: inboxes (text[]): none for all; rows (bigint)
-- grain:   one row per currency
select
    waiting.currency,
    count(*) as case_count,
    money_text(sum(waiting.amount_milliunits), waiting.currency) as at_stake,
    money_text(max(waiting.amount_milliunits), waiting.currency) as largest
from console_cases as waiting
where waiting.status in ('open', 'waiting_approval')
    and waiting.currency is not null
    and waiting.amount_milliunits is not null
    and (cardinality(:'inboxes'::text[]) = 0 or waiting.teams && :'inboxes'::text[])
group by waiting.currency
order by sum(waiting.amount_milliunits) desc, waiting.currency
limit :'rows'::bigint;
