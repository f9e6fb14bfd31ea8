-- purpose: staging table for a chunk of order rows; emptied at the end of each transaction.
-- grain:   one row per input row
create temp table if not exists staged_order (like payrecon.orders) on commit delete rows;
-- The latest clock at which undated rows repeated an order's known content.
create temp table if not exists repeated_order (
    order_id text collate "C" not null,
    stated_at timestamptz not null
) on commit delete rows;
create temp table if not exists judged_order (like payrecon.orders) on commit delete rows;
alter table judged_order add column if not exists outcome text;
alter table judged_order add column if not exists known_bundle_id text collate "C";
alter table judged_order add column if not exists known_environment text collate "C";
alter table judged_order add column if not exists known_counted_at timestamptz;
alter table judged_order add column if not exists is_state boolean not null default false;
