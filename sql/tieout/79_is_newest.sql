-- purpose: whether no later tie-out of the period exists, whose breaks this one would overwrite.
-- parameters: period (text), as_of (timestamptz)
-- grain:   one row
select not exists (
    select 1
    from payrecon.tieouts
    where fiscal_period = :'period'::text
        and as_of > :'as_of'::timestamptz
) as is_newest;
