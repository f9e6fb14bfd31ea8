-- purpose: the days that told where Apple's day begins in a storefront, so that each figure of the offsets has its rows.
create table payrecon.tieout_offset_days (
    fiscal_period text collate "C" not null,
    as_of timestamptz not null,
    storefront text collate "C" not null,
    sku text collate "C" not null,
    currency text collate "C" not null,
    price numeric not null,
    day date not null,
    units bigint not null,
    hit_units bigint not null,
    constraint tieout_offset_days_pkey primary key (fiscal_period, as_of, storefront, sku, currency, price, day)
);
