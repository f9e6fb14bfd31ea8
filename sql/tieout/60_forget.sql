-- purpose: removes the period's tie-out at the same clock, since more facts of that clock may be known now.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one tie-out
delete from payrecon.tieouts
where fiscal_period = :'period'::text
    and as_of = :'as_of'::timestamptz;
