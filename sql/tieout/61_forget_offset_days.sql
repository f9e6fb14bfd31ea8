-- purpose: removes the evidence for the period's time zones at the same clock.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one tie-out
delete from payrecon.tieout_offset_days
where fiscal_period = :'period'::text
    and as_of = :'as_of'::timestamptz;
