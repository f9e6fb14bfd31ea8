-- purpose: Apple's money: the fiscal calendar, finance files, their lines, payments and bank credits. Decimals are numeric, as printed.

-- Apple's fiscal months: weeks from Sunday to Saturday, 5-4-4 in a quarter, a 53rd week in P03. From sql/reference/fiscal_periods.csv.
-- grain: one row per fiscal month
create table payrecon.fiscal_periods (
    fiscal_period text collate "C" not null,  -- Apple's fiscal month, such as 2026-P11
    fiscal_year integer not null,             -- Fiscal year
    number integer not null,                  -- Number in the year, 1 to 12
    starts_on date not null,                  -- First day, in Apple's time zone
    ends_on date not null,                    -- Last day, in Apple's time zone
    weeks integer not null,                   -- Number of weeks
    constraint fiscal_periods_pkey primary key (fiscal_period),
    constraint fiscal_periods_weeks check (ends_on - starts_on + 1 = weeks * 7)
);
-- Finds the period of a day.
create unique index fiscal_periods_start on payrecon.fiscal_periods (starts_on);

-- Storefronts, with their names in reports. From sql/reference/storefronts.csv.
-- grain: one row per storefront
create table payrecon.storefronts (
    storefront text collate "C" not null,          -- Country code of three letters, as in signed transactions
    country text collate "C" not null,             -- Country code of two letters, as in reports
    region text collate "C" not null,              -- Region of Apple's financial reports, such as AM or CN
    zone text collate "C" not null default 'UTC',  -- Time zone of its day in reports, until one is learned
    constraint storefronts_pkey primary key (storefront)
);

-- Names of regions on the payments page, in the languages seen so far. From sql/reference/payment_regions.csv.
-- grain: one row per name
create table payrecon.payment_regions (
    name text collate "C" not null,    -- Name on the page
    region text collate "C" not null,  -- Region of Apple's financial reports, such as AM or CN
    constraint payment_regions_pkey primary key (name)
);

-- Finance files; restated versions are stored next to earlier ones, and the newest known version counts.
-- grain: one row per file and vendor
create table payrecon.finance_files (
    -- Hash of the uncompressed bytes, followed by "-" and the vendor number where the file names one
    file_sha256 text collate "C" not null,
    report text collate "C" not null,                                                           -- Kind of report
    file_name text collate "C" not null,                                                        -- Name of the file
    -- Vendor number; empty if the file names none
    vendor text collate "C" not null,
    -- Region of Apple's financial reports, such as AM or CN
    region text collate "C" not null,
    fiscal_period text collate "C",                                                             -- Apple's fiscal month, such as 2026-P11
    period_from date,                                                                           -- First day that the file covers
    period_to date,                                                                             -- Last day that the file covers
    row_count bigint not null,                                                                  -- Lines of the file
    totals text[] collate "C" not null,                                                         -- Totals that the file prints
    warnings text[] collate "C" not null,                                                       -- Doubts of the reader
    -- Batch that first stated it: payrecon.batches
    batch_id bigint not null,
    -- Bank account that a payments file names; empty if none
    account text collate "C" not null default '',
    bytes_sha256 text collate "C" not null generated always as (left(file_sha256, 64)) stored,  -- Hash of the uncompressed bytes
    -- Hash of the uncompressed bytes with LF for CRLF
    lines_sha256 text collate "C" not null,
    -- Whether Apple only estimates the payments of the month
    is_estimate boolean not null default false,
    constraint finance_files_pkey primary key (file_sha256)
);
-- Refuses the same file of a vendor twice, whatever its line ends.
create unique index finance_files_lines on payrecon.finance_files (lines_sha256, vendor);

-- Uncompressed bytes of each file, in parts.
-- grain: one row per file and part
create table payrecon.finance_parts (
    file_sha256 text collate "C" not null,  -- Hash of the uncompressed bytes
    part integer not null,                  -- Number of the part
    body bytea not null,                    -- Bytes of the part
    constraint finance_parts_pkey primary key (file_sha256, part)
);

-- Lines of Apple's reports, as printed.
-- grain: one row per file and line
create table payrecon.finance_lines (
    file_sha256 text collate "C" not null,    -- Finance file: payrecon.finance_files
    line bigint not null,                     -- Line of the file
    report text collate "C" not null,         -- Kind of report
    fiscal_period text collate "C",           -- Apple's fiscal month, such as 2026-P11
    region text collate "C",                  -- Region of Apple's financial reports, such as AM or CN
    transaction_date date,                    -- Day of the sale
    settlement_date date,                     -- Day of the settlement
    apple_identifier text collate "C",        -- Apple's number of the product
    sku text collate "C",                     -- Product, by its id in App Store Connect
    title text collate "C",                   -- Title of the product
    developer text collate "C",               -- Name of the developer
    product_type text collate "C",            -- Apple's code of the kind of product
    country_of_sale text collate "C",         -- Country code of two letters
    quantity numeric not null,                -- Units; negative for returns
    customer_price numeric,                   -- Price of one unit
    customer_currency text collate "C",       -- Currency of the price
    partner_share numeric,                    -- Proceeds of one unit
    extended_partner_share numeric,           -- Proceeds of all units
    partner_share_currency text collate "C",  -- Currency of the proceeds
    sale_or_return text collate "C",          -- S or R
    promo_code text collate "C",              -- Promotion
    order_type text collate "C",              -- Kind of order
    proceeds_reason text collate "C",         -- Why the rate of proceeds differs
    event text collate "C",                   -- Event of a subscription, in Apple's words
    purchase_date date,                       -- Day of the first purchase
    subscriber_id text collate "C",           -- Apple's number of the subscriber
    constraint finance_lines_pkey primary key (file_sha256, line)
);

-- Lines of the payments page, as printed.
-- grain: one row per file and line
create table payrecon.payment_lines (
    file_sha256 text collate "C" not null,    -- Finance file: payrecon.finance_files
    line bigint not null,                     -- Line of the file
    fiscal_period text collate "C" not null,  -- Apple's fiscal month, such as 2026-P11
    region text collate "C" not null,         -- Region of Apple's financial reports, such as AM or CN
    currency text collate "C" not null,       -- ISO 4217 code
    is_paid boolean not null,                 -- Whether it was paid
    units numeric,                            -- Units sold
    balance numeric,                          -- Balance of earlier periods
    earned numeric,                           -- Proceeds earned
    pre_tax_subtotal numeric,                 -- Subtotal before tax
    input_tax numeric,                        -- Input tax
    adjustments numeric,                      -- Adjustments
    withholding_tax numeric,                  -- Withholding tax
    total_owed numeric,                       -- Total owed
    exchange_rate numeric,                    -- Exchange rate
    proceeds numeric,                         -- Proceeds in the bank's currency
    bank_currency text collate "C",           -- Currency of the payment
    constraint payment_lines_pkey primary key (file_sha256, line)
);

-- Credits of Apple on our bank statements. Equal credits on one statement are two; a credit on several statements is one.
-- grain: one row per credit
create table payrecon.bank_lines (
    bank_line_id text collate "C" not null,  -- Hash of the credit and its occurrence
    file_sha256 text collate "C" not null,   -- Finance file: payrecon.finance_files
    line bigint not null,                    -- Line of the file
    occurrence integer not null,             -- Number among equal credits of the statement
    bank_date date not null,                 -- Day of the credit
    amount numeric not null,                 -- Amount of the credit
    currency text collate "C" not null,      -- ISO 4217 code
    reference text collate "C",              -- Reference text
    account text collate "C",                -- Bank account
    batch_id bigint not null,                -- Batch that first stated it: payrecon.batches
    constraint bank_lines_pkey primary key (bank_line_id)
);
