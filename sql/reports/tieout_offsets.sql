-- purpose: where Apple's day was found to begin in each storefront: hours before that of UTC, learned or usual, and how many of our units
--          then lie on a day on which Apple has them.
-- parameters: as_of (timestamptz)
-- grain:   one row per fiscal period and storefront
select
    latest.fiscal_period, tieout_offsets.storefront, tieout_offsets.offset_hours, tieout_offsets.basis,
    tieout_offsets.unit_count, tieout_offsets.hit_count
from latest_tieouts(:'as_of'::timestamptz) as latest
inner join tieout_offsets
    on tieout_offsets.fiscal_period = latest.fiscal_period
    and tieout_offsets.as_of = latest.as_of
order by latest.fiscal_period collate "C", tieout_offsets.storefront;
