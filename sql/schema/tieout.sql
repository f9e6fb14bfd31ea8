-- purpose: Tie-outs of our charges against Apple's money, one result per fiscal period and clock.

-- Tie-outs; the newest up to a clock counts.
-- grain: one row per period and clock
create table payrecon.tieouts (
    fiscal_period text collate "C" not null,    -- Apple's fiscal month, such as 2026-P11
    as_of timestamptz not null,                 -- Clock of the tie-out
    run_id text collate "C" not null,           -- Run that recorded it: payrecon.runs
    source text collate "C" not null,           -- Kind of report used
    is_provisional boolean not null,            -- Whether it covers one day, before the period closed
    files text[] collate "C" not null,          -- Files used: payrecon.finance_files
    settings_sha256 text collate "C" not null,  -- Hash of the settings: payrecon.settings_texts
    constraint tieouts_pkey primary key (fiscal_period, as_of)
);

-- Cells with units on either side: product, country, day, price and sign. Returns are negative.
-- grain: one row per period, clock and cell
create table payrecon.tieout_cells (
    fiscal_period text collate "C" not null,      -- Apple's fiscal month, such as 2026-P11
    as_of timestamptz not null,                   -- Clock of the tie-out
    cell_id text collate "C" not null,            -- Hash of the cell's key
    region text collate "C" not null,             -- Region of Apple's financial reports, such as AM or CN
    transaction_day date not null,                -- Day of the sale in Apple's reports
    settlement_from date,                         -- First day of settlement
    settlement_to date,                           -- Last day of settlement
    apple_identifier text collate "C",            -- Apple's number of the product
    bundle_id text collate "C",                   -- App, by its bundle id
    sku text collate "C" not null,                -- Product, by its id in App Store Connect
    country text collate "C" not null,            -- Country code of two letters
    storefront text collate "C" not null,         -- App Store of the purchase, a country code of three letters
    customer_currency text collate "C" not null,  -- Currency of the price
    customer_price numeric not null,              -- Price of one unit
    sign integer not null,                        -- 1 for sales, -1 for returns
    order_type text collate "C" not null,         -- Kind of order, as printed
    l1_units bigint not null,                     -- Units of our charges
    l3_units bigint not null,                     -- Units of Apple's report
    unit_share numeric,                           -- Proceeds of one unit
    share_counts text collate "C" not null,       -- Proceeds of one unit that occur, with their units
    share_basis text collate "C",                 -- Source of the expected proceeds
    proceeds_currency text collate "C",           -- Currency of the proceeds
    l1_expected numeric,                          -- Expected proceeds of our charges
    l3_extended numeric not null,                 -- Proceeds of Apple's report
    unexplained_units bigint not null,            -- Units that no cause explains
    open_units bigint not null,                   -- Units that a later period may settle
    apart text collate "C" not null,              -- Units counted apart: sandbox, family, free, unpriced
    candidates text[] collate "C" not null,       -- Charges that may explain the rest, the likeliest first
    status text collate "C" not null,             -- proved, explained, unexplained, open or provisional
    constraint tieout_cells_pkey primary key (fiscal_period, as_of, cell_id),
    constraint tieout_cells_status check (status in ('proved', 'explained', 'unexplained', 'open', 'provisional'))
);

-- Units of a cell that a cause explains, with the cell on the other side.
-- grain: one row per cell, cause and counter cell
create table payrecon.tieout_parts (
    fiscal_period text collate "C" not null,    -- Apple's fiscal month, such as 2026-P11
    as_of timestamptz not null,                 -- Clock of the tie-out
    cell_id text collate "C" not null,          -- Cell: payrecon.tieout_cells
    cause text collate "C" not null,            -- Cause, T1 and so on
    counter_cell_id text collate "C" not null,  -- Cell on the other side; empty if none
    units bigint not null,                      -- Units that it explains
    amount numeric not null,                    -- Proceeds that it explains
    detail jsonb not null,                      -- Explanation, as a phrase
    constraint tieout_parts_pkey primary key (fiscal_period, as_of, cell_id, cause, counter_cell_id)
);

-- Time zone of Apple's day, as learned for each storefront.
-- grain: one row per period, clock and storefront
create table payrecon.tieout_offsets (
    fiscal_period text collate "C" not null,  -- Apple's fiscal month, such as 2026-P11
    as_of timestamptz not null,               -- Clock of the tie-out
    storefront text collate "C" not null,     -- App Store of the purchase, a country code of three letters
    basis text collate "C" not null,          -- Source: learned, series or usual
    unit_count bigint not null,               -- Units from which the zone is learned
    hit_count bigint not null,                -- Of these: on the day that Apple reports
    zone text collate "C" not null,           -- Time zone that fits best
    runner_up text collate "C",               -- Second-best time zone
    runner_up_count bigint,                   -- Units that fit it
    constraint tieout_offsets_pkey primary key (fiscal_period, as_of, storefront)
);

-- Days from which the time zone is learned.
-- grain: one row per period, clock, storefront, product, price and day
create table payrecon.tieout_offset_days (
    fiscal_period text collate "C" not null,  -- Apple's fiscal month, such as 2026-P11
    as_of timestamptz not null,               -- Clock of the tie-out
    storefront text collate "C" not null,     -- App Store of the purchase, a country code of three letters
    sku text collate "C" not null,            -- Product, by its id in App Store Connect
    currency text collate "C" not null,       -- ISO 4217 code
    price numeric not null,                   -- Price of one unit
    day date not null,                        -- Day in Apple's reports
    units bigint not null,                    -- Units on that day
    hit_units bigint not null,                -- Of these: assigned to that day by the zone
    constraint tieout_offset_days_pkey primary key (fiscal_period, as_of, storefront, sku, currency, price, day)
);

-- Reconciliation from earned money to the bank.
-- grain: one row per period, clock, region and currency
create table payrecon.tieout_payments (
    fiscal_period text collate "C" not null,     -- Apple's fiscal month, such as 2026-P11
    as_of timestamptz not null,                  -- Clock of the tie-out
    region text collate "C" not null,            -- Region of Apple's financial reports, such as AM or CN
    currency text collate "C" not null,          -- ISO 4217 code
    region_name text collate "C",                -- Name of the region on the payments page
    units numeric,                               -- Units sold
    earned_detail numeric,                       -- Earned by FINANCE_DETAIL
    earned_financial numeric,                    -- Earned by FINANCIAL
    earned_payment numeric,                      -- Earned by the payments page
    brought_forward numeric,                     -- Carried over from the period before
    pre_tax_subtotal numeric,                    -- Subtotal before tax
    input_tax numeric,                           -- Input tax
    adjustments numeric,                         -- Adjustments
    withholding_tax numeric,                     -- Withholding tax
    total_owed numeric,                          -- Total owed
    rate_printed numeric,                        -- Exchange rate, as printed
    proceeds numeric,                            -- Proceeds in the bank's currency
    bank_currency text collate "C",              -- Currency of the payment
    is_paid boolean,                             -- Whether it was paid
    paid_on date,                                -- Day of the payment
    bank_reference text collate "C",             -- Reference of the credit
    bank_amount numeric,                         -- Amount of the credit
    bank_expected numeric,                       -- Expected amount of the credit
    estimated_rate numeric,                      -- Exchange rate of the latest payment, for money not yet paid
    estimated_from text collate "C",             -- Fiscal period of that payment
    estimated_proceeds numeric,                  -- Proceeds at that rate
    estimated_currency text collate "C",         -- Currency of those proceeds
    is_estimate boolean not null default false,  -- Whether Apple only estimates the payment
    constraint tieout_payments_pkey primary key (fiscal_period, as_of, region, currency)
);

-- The audit bridge from our orders to the bank, line by line.
-- grain: one row per period, clock, section, currency and line
create table payrecon.tieout_bridge (
    fiscal_period text collate "C" not null,  -- Apple's fiscal month, such as 2026-P11
    as_of timestamptz not null,               -- Clock of the tie-out
    section text collate "C" not null,        -- Section of the bridge
    line_no integer not null,                 -- Number of the line
    label text collate "C" not null,          -- Text of the line
    count bigint,                             -- Number of units or rows
    amount numeric,                           -- Money
    currency text collate "C" not null,       -- ISO 4217 code
    source text collate "C" not null,         -- Source of the figure
    ref text collate "C" not null,            -- Where to find its rows
    constraint tieout_bridge_pkey primary key (fiscal_period, as_of, section, currency, line_no)
);
