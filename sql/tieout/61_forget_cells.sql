-- purpose: removes the period's cells at the same clock.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one tie-out
delete from payrecon.tieout_cells
where fiscal_period = :'period'::text
    and as_of = :'as_of'::timestamptz;
