-- purpose: export of differences inside their grace time, with the instant at which each becomes a break.
-- parameters: as_of (timestamptz)
-- grain:   one row per pending difference
select
    break_id, class, rfc3339(breaks_at) as breaks_at, bundle_id, environment, order_id, charge_id, transaction_id,
    user_id, amount_milliunits, currency, detail
from pending_breaks_at(:'as_of'::timestamptz)
order by breaks_at, class, break_id;
