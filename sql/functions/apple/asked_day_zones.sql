-- purpose: the time zone of Apple's days in each storefront, as the requested tie-out learned it.
-- grain:   one row per storefront
create or replace function payrecon.asked_day_zones() returns table (storefront text, zone text)
language sql stable parallel safe
as $$
    select tieout_offsets.storefront, tieout_offsets.zone
    from payrecon.tieout_offsets
    where tieout_offsets.fiscal_period = payrecon.asked_period()
        and tieout_offsets.as_of = (select payrecon.asked_at())
$$;
