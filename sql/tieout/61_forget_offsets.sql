-- purpose: removes the period's time zones at the same clock.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one tie-out
delete from payrecon.tieout_offsets
where fiscal_period = :'period'::text
    and as_of = :'as_of'::timestamptz;
