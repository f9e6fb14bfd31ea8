-- purpose: the time zone of Apple's days in each storefront, as the requested tie-out learned it.
-- grain:   one row per storefront
create or replace function payrecon.viewed_day_zones() returns table (storefront text, zone text)
language sql stable parallel safe
as $$
    select tieout_offsets.storefront, tieout_offsets.zone
    from payrecon.tieout_offsets
    where tieout_offsets.fiscal_period = payrecon.viewed_period()
        and tieout_offsets.as_of = (select payrecon.viewed_at())
$$;
