-- purpose: the time zone of Apple's days in each storefront: learned there, learned for the report series, or the usual one;
--          the units that it assigns to a day with Apple units; and the second-best zone with its units.
-- parameters: as_of (timestamptz)
-- grain:   one row per fiscal period and storefront
select
    latest.fiscal_period, tieout_offsets.storefront, tieout_offsets.zone, tieout_offsets.basis,
    tieout_offsets.unit_count, tieout_offsets.hit_count, tieout_offsets.runner_up, tieout_offsets.runner_up_count
from latest_tieouts(:'as_of'::timestamptz) as latest
inner join tieout_offsets using (fiscal_period, as_of)
order by latest.fiscal_period collate "C", tieout_offsets.storefront;
