-- purpose: the findings of one detect run, dropped at the end of its transaction.
-- grain:   one row per difference found
create temp table finding (
    class text collate "C" not null,
    subject_id text collate "C" not null,
    bundle_id text collate "C",
    environment text collate "C",
    order_id text collate "C",
    charge_id text collate "C",
    transaction_id text collate "C",
    user_id text collate "C",
    currency text collate "C",
    detail jsonb not null,
    amount_milliunits bigint,
    breaks_at timestamptz not null,
    is_delivered boolean  -- of the order, if it has no match
) on commit drop;
