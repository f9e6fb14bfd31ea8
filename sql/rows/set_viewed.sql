-- purpose: sets the report's clock and apps for the rest of the transaction; viewed_at() and viewed_apps() return them.
-- parameters: as_of (timestamptz), bundles (text[]), zones (text[]), starts (text[]): our apps, the time zone of each one's
--             business day and its start date ('' for none)
-- grain:   one row
select
    set_config('payrecon.viewed_at', :'as_of'::timestamptz::text, true) as clock,
    set_config('payrecon.viewed_bundles', :'bundles'::text[]::text, true) as bundles,
    set_config('payrecon.viewed_zones', :'zones'::text[]::text, true) as zones,
    set_config('payrecon.viewed_starts', :'starts'::text[]::text, true) as starts;
