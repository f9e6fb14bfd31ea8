-- purpose: the hour at which Apple's day begins in each storefront, as the tie-out that is asked for learned it.
-- grain:   one row per storefront
create or replace function payrecon.asked_offsets() returns table (storefront text, offset_hours integer)
language sql stable parallel safe
as $$
    select tieout_offsets.storefront, tieout_offsets.offset_hours
    from payrecon.tieout_offsets
    where tieout_offsets.fiscal_period = payrecon.asked_period()
        and tieout_offsets.as_of = (select payrecon.asked_at())
$$;
