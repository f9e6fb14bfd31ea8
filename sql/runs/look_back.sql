-- purpose: replaces the current tables by those known at a clock, for the rest of the transaction.
-- parameters: as_of (timestamptz)
-- grain:   one row
select
    set_config('payrecon.as_of', :'as_of'::timestamptz::text, true) as clock,
    set_config('search_path', 'payrecon_past, ' || current_setting('search_path'), true) as tables;
