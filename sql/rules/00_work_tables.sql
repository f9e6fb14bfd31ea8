-- purpose: the working tables of one run of the rules, dropped at the end of its transaction.
-- grain:   signal_found one row per signal, rule_interest at least one per user whose purchases a rule of this run may read
create temp table signal_found (
    rule text collate "C" not null,
    subject_kind text collate "C" not null,
    subject_id text collate "C" not null,
    bundle_id text collate "C",
    -- 90_judged.sql fills the column of the subject's kind from subject_id.
    user_id text collate "C",
    order_id text collate "C",
    charge_id text collate "C",
    device_id text collate "C",
    currency text collate "C",
    detail jsonb not null,
    inputs text collate "C" not null,
    score bigint not null,
    -- A sum may exceed 64 bits.
    amount_milliunits numeric,
    happened_at timestamptz not null
) on commit drop;
create temp table rule_interest (user_id text collate "C" not null) on commit drop;
