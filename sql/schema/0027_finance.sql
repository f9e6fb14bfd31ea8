-- purpose: Apple's money: files about it as they were read, their lines, payments and bank credits, the fiscal calendar, and what
--          tying our charges out against them came to.
-- rules:   decimals are numeric, as printed; a file is kept by its SHA-256 and never changed; a restated report stands beside
--          the earlier one, and the one that was known last counts.

alter table payrecon.batches drop constraint batches_kind;
alter table payrecon.batches
add constraint batches_kind check (kind in ('orders', 'users', 'catalogue', 'apple', 'judgement', 'finance', 'bank'));

-- Apple's fiscal months: weeks from Sunday to Saturday, 5-4-4 in a quarter, a 53rd week in P03; days of Apple's zone.
create table payrecon.fiscal_periods (
    fiscal_period text collate "C" not null,
    fiscal_year integer not null,
    number integer not null,
    starts_on date not null,
    ends_on date not null,
    weeks integer not null,
    constraint fiscal_periods_pkey primary key (fiscal_period),
    constraint fiscal_periods_weeks check (ends_on - starts_on + 1 = weeks * 7)
);
create unique index fiscal_periods_start on payrecon.fiscal_periods (starts_on);

-- Storefronts by the code of signed transactions, with the code and the region of reports; offset_hours is how far its day
-- begins before that of UTC where nothing was learned yet.
create table payrecon.storefronts (
    storefront text collate "C" not null,
    country text collate "C" not null,
    region text collate "C" not null,
    offset_hours integer not null,
    constraint storefronts_pkey primary key (storefront)
);

-- Names that the payments page gives to regions, in the languages that were seen.
create table payrecon.payment_regions (
    name text collate "C" not null,
    region text collate "C" not null,
    constraint payment_regions_pkey primary key (name)
);

create table payrecon.finance_files (
    file_sha256 text collate "C" not null,
    report text collate "C" not null,
    file_name text collate "C" not null,
    vendor text collate "C" not null,
    region text collate "C" not null,
    fiscal_period text collate "C",
    period_from date,
    period_to date,
    row_count bigint not null,
    totals text[] collate "C" not null,
    warnings text[] collate "C" not null,
    batch_id bigint not null,
    constraint finance_files_pkey primary key (file_sha256)
);

-- The bytes of each file as they came, in parts.
create table payrecon.finance_parts (
    file_sha256 text collate "C" not null,
    part integer not null,
    body bytea not null,
    constraint finance_parts_pkey primary key (file_sha256, part)
);

create table payrecon.finance_lines (
    file_sha256 text collate "C" not null,
    line bigint not null,
    report text collate "C" not null,
    fiscal_period text collate "C",
    region text collate "C",
    transaction_date date,
    settlement_date date,
    apple_identifier text collate "C",
    sku text collate "C",
    title text collate "C",
    developer text collate "C",
    product_type text collate "C",
    country_of_sale text collate "C",
    quantity numeric not null,
    customer_price numeric,
    customer_currency text collate "C",
    partner_share numeric,
    extended_partner_share numeric,
    partner_share_currency text collate "C",
    sale_or_return text collate "C",
    promo_code text collate "C",
    order_type text collate "C",
    proceeds_reason text collate "C",
    event text collate "C",
    purchase_date date,
    subscriber_id text collate "C",
    constraint finance_lines_pkey primary key (file_sha256, line)
);

create table payrecon.payment_lines (
    file_sha256 text collate "C" not null,
    line bigint not null,
    fiscal_period text collate "C" not null,
    region text collate "C" not null,
    currency text collate "C" not null,
    is_paid boolean not null,
    units numeric,
    balance numeric,
    earned numeric,
    pre_tax_subtotal numeric,
    input_tax numeric,
    adjustments numeric,
    withholding_tax numeric,
    total_owed numeric,
    exchange_rate numeric,
    proceeds numeric,
    bank_currency text collate "C",
    constraint payment_lines_pkey primary key (file_sha256, line)
);

-- A credit that stands in several statements is one; two equal ones on one statement are two.
create table payrecon.bank_lines (
    bank_line_id text collate "C" not null,
    file_sha256 text collate "C" not null,
    line bigint not null,
    occurrence integer not null,
    bank_date date not null,
    amount numeric not null,
    currency text collate "C" not null,
    reference text collate "C",
    account text collate "C",
    batch_id bigint not null,
    constraint bank_lines_pkey primary key (bank_line_id)
);

-- One row per period and clock at which it was tied out; the newest up to a clock counts.
create table payrecon.tieouts (
    fiscal_period text collate "C" not null,
    as_of timestamptz not null,
    run_id text collate "C" not null,
    source text collate "C" not null,
    is_provisional boolean not null,
    files text[] collate "C" not null,
    settings_sha256 text collate "C" not null,
    constraint tieouts_pkey primary key (fiscal_period, as_of)
);

-- Cells with something on either side. Units and money of returns are negative; diff = Apple's side less ours.
create table payrecon.tieout_cells (
    fiscal_period text collate "C" not null,
    as_of timestamptz not null,
    cell_id text collate "C" not null,
    region text collate "C" not null,
    transaction_day date not null,
    settlement_from date,
    settlement_to date,
    apple_identifier text collate "C",
    bundle_id text collate "C",
    sku text collate "C" not null,
    country text collate "C" not null,
    storefront text collate "C" not null,
    customer_currency text collate "C" not null,
    customer_price numeric not null,
    sign integer not null,
    order_type text collate "C" not null,
    l1_units bigint not null,
    l3_units bigint not null,
    unit_share numeric,
    share_counts text collate "C" not null,
    share_basis text collate "C",
    proceeds_currency text collate "C",
    l1_expected numeric,
    l3_extended numeric not null,
    unexplained_units bigint not null,
    open_units bigint not null,
    apart text collate "C" not null,
    candidates text[] collate "C" not null,
    status text collate "C" not null,
    constraint tieout_cells_pkey primary key (fiscal_period, as_of, cell_id),
    constraint tieout_cells_status check (status in ('proved', 'explained', 'unexplained', 'open', 'provisional'))
);

-- What each explanation step consumed of a cell, with the cell that holds the other side where there is one.
create table payrecon.tieout_parts (
    fiscal_period text collate "C" not null,
    as_of timestamptz not null,
    cell_id text collate "C" not null,
    cause text collate "C" not null,
    counter_cell_id text collate "C" not null,
    units bigint not null,
    amount numeric not null,
    detail text collate "C" not null,
    constraint tieout_parts_pkey primary key (fiscal_period, as_of, cell_id, cause, counter_cell_id)
);

-- Where Apple's day begins, as it was learned for each storefront.
create table payrecon.tieout_offsets (
    fiscal_period text collate "C" not null,
    as_of timestamptz not null,
    storefront text collate "C" not null,
    offset_hours integer not null,
    basis text collate "C" not null,
    unit_count bigint not null,
    hit_count bigint not null,
    constraint tieout_offsets_pkey primary key (fiscal_period, as_of, storefront)
);

-- From earned to the bank, one row per region and currency.
create table payrecon.tieout_payments (
    fiscal_period text collate "C" not null,
    as_of timestamptz not null,
    region text collate "C" not null,
    currency text collate "C" not null,
    region_name text collate "C",
    units numeric,
    earned_detail numeric,
    earned_financial numeric,
    earned_payment numeric,
    brought_forward numeric,
    pre_tax_subtotal numeric,
    input_tax numeric,
    adjustments numeric,
    withholding_tax numeric,
    total_owed numeric,
    rate_printed numeric,
    proceeds numeric,
    bank_currency text collate "C",
    is_paid boolean,
    paid_on date,
    bank_reference text collate "C",
    bank_amount numeric,
    bank_expected numeric,
    constraint tieout_payments_pkey primary key (fiscal_period, as_of, region, currency)
);

-- The auditors' bridge, a line for each step, in one currency each.
create table payrecon.tieout_bridge (
    fiscal_period text collate "C" not null,
    as_of timestamptz not null,
    section text collate "C" not null,
    line_no integer not null,
    label text collate "C" not null,
    count bigint,
    amount numeric,
    currency text collate "C" not null,
    source text collate "C" not null,
    ref text collate "C" not null,
    constraint tieout_bridge_pkey primary key (fiscal_period, as_of, section, currency, line_no)
);

do $$
begin
    -- As with evidence: nobody, the owner included, changes or removes what a file said.
    execute format(
        'revoke update, delete, truncate on payrecon.finance_files, payrecon.finance_parts, payrecon.finance_lines, '
        || 'payrecon.payment_lines, payrecon.bank_lines from %I',
        (select tableowner from pg_tables where schemaname = 'payrecon' and tablename = 'finance_files')
    );
end
$$;
