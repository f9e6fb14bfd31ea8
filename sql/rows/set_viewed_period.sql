-- purpose: sets the report's fiscal period and tie-out clock for the rest of the transaction; viewed_period() and viewed_at()
--          return them.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one row
select
    set_config('payrecon.viewed_period', :'period'::text, true) as period,
    set_config('payrecon.viewed_at', :'as_of'::timestamptz::text, true) as clock;
