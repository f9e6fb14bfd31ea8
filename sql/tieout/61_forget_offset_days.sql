-- purpose: forgets what told the offsets of the same period at the same clock.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one tie-out
delete from payrecon.tieout_offset_days
where fiscal_period = :'period'::text
    and as_of = :'as_of'::timestamptz;
