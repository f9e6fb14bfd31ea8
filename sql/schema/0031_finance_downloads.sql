-- purpose: what App Store Connect was asked for, report by report: what it said last, and what was taken.
-- rules:   one row per vendor number, report and period; the report itself is kept among the files about money.
create table payrecon.finance_downloads (
    vendor text collate "C" not null,
    report text collate "C" not null,
    period text collate "C" not null,
    outcome text collate "C" not null,
    words text collate "C" not null,
    ask_count integer not null,
    asked_at timestamptz not null,
    taken_at timestamptz,
    file_sha256 text collate "C",
    content_sha256 text collate "C",
    constraint finance_downloads_pkey primary key (vendor, report, period),
    constraint finance_downloads_outcome check (
        outcome in ('report', 'no_sales', 'not_ready', 'forbidden', 'wrong_vendor', 'outside_retention', 'refused')
    )
);
