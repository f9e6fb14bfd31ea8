-- purpose: forgets what the same period came to at the same clock: the facts of that clock may be more now.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one tie-out
delete from payrecon.tieouts
where fiscal_period = :'period'::text
    and as_of = :'as_of'::timestamptz;
