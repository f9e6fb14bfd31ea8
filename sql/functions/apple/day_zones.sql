-- purpose: the time zone of Apple's days in each storefront, by which reports assign an instant to a fiscal period.
--          The newest tie-out up to the requested clock that learned a zone decides, then the storefront's usual zone. Once a
--          period is closed, the zones of its reports stay, since others would move charges out of it or into it.
-- grain:   one row per storefront
create or replace function payrecon.day_zones() returns table (storefront text, zone text)
language sql stable parallel safe
as $$
    select coalesce(learned.storefront, usual.storefront), coalesce(learned.zone, usual.zone)
    from payrecon.storefronts as usual
    full join (
        select distinct on (tieout_offsets.storefront) tieout_offsets.storefront, tieout_offsets.zone
        from payrecon.tieout_offsets
        where tieout_offsets.as_of <= payrecon.viewed_at()
            and tieout_offsets.as_of <= coalesce(
                (select min(closed.as_of) from payrecon.closed_periods_at(payrecon.viewed_at()) as closed), 'infinity'
            )
            -- The report of a single day has too little data.
            and tieout_offsets.fiscal_period not like 'D%'
        order by
            tieout_offsets.storefront asc, tieout_offsets.basis = 'usual' asc, tieout_offsets.as_of desc,
            tieout_offsets.fiscal_period desc
    ) as learned on learned.storefront = usual.storefront
$$;
