-- purpose: the hour at which Apple's day begins in each storefront, as the newest tie-out up to the clock that is asked for learned it,
--          else the usual one: by it reports put an instant into a fiscal period as the tie-out does. Where none is told, it is 0.
-- grain:   one row per storefront
create or replace function payrecon.day_hours() returns table (storefront text, offset_hours integer)
language sql stable parallel safe
as $$
    select coalesce(learned.storefront, usual.storefront), coalesce(learned.offset_hours, usual.offset_hours)
    from payrecon.storefronts as usual
    full join (
        select distinct on (tieout_offsets.storefront) tieout_offsets.storefront, tieout_offsets.offset_hours
        from payrecon.tieout_offsets
        where tieout_offsets.as_of <= payrecon.asked_at()
            -- A day before its period closed learns too little.
            and tieout_offsets.fiscal_period not like 'D%'
        order by tieout_offsets.storefront asc, tieout_offsets.as_of desc, tieout_offsets.fiscal_period desc
    ) as learned on learned.storefront = usual.storefront
$$;
