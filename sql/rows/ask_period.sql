-- purpose: says which fiscal period, and the tie-out of which clock, is asked for, for the rest of the transaction; viewed_period() and
--          viewed_at() tell it.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one row
select
    set_config('payrecon.viewed_period', :'period'::text, true) as period,
    set_config('payrecon.viewed_at', :'as_of'::timestamptz::text, true) as clock;
