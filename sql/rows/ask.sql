-- purpose: says what a report is asked for, for the rest of the transaction; asked_at() and asked_apps() tell it.
-- parameters: as_of (timestamptz), bundles (text[]), zones (text[]), starts (text[]): our apps, the zone of each one's business day and
--             its start date ('' for none)
-- grain:   one row
select
    set_config('payrecon.asked_at', :'as_of'::timestamptz::text, true) as clock,
    set_config('payrecon.asked_bundles', :'bundles'::text[]::text, true) as bundles,
    set_config('payrecon.asked_zones', :'zones'::text[]::text, true) as zones,
    set_config('payrecon.asked_starts', :'starts'::text[]::text, true) as starts;
