-- purpose: says which fiscal period, and the tie-out of which clock, is asked for, for the rest of the transaction; asked_period() and
--          asked_at() tell it.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one row
select
    set_config('payrecon.asked_period', :'period'::text, true) as period,
    set_config('payrecon.asked_at', :'as_of'::timestamptz::text, true) as clock;
