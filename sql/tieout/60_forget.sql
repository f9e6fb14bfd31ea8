-- purpose: removes the period's tie-out at the same clock with all its rows, since more facts of that clock may be known now.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one tie-out
with cells as (delete from payrecon.tieout_cells where fiscal_period = :'period'::text and as_of = :'as_of'::timestamptz),
parts as (delete from payrecon.tieout_parts where fiscal_period = :'period'::text and as_of = :'as_of'::timestamptz),
offsets as (delete from payrecon.tieout_offsets where fiscal_period = :'period'::text and as_of = :'as_of'::timestamptz),
offset_days as (delete from payrecon.tieout_offset_days where fiscal_period = :'period'::text and as_of = :'as_of'::timestamptz),
payments as (delete from payrecon.tieout_payments where fiscal_period = :'period'::text and as_of = :'as_of'::timestamptz),
bridge as (delete from payrecon.tieout_bridge where fiscal_period = :'period'::text and as_of = :'as_of'::timestamptz)
delete from payrecon.tieouts
where fiscal_period = :'period'::text
    and as_of = :'as_of'::timestamptz;
