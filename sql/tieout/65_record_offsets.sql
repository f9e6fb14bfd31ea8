-- purpose: stores the time zone of Apple's days in storefronts with sales, with the second-best zone.
-- grain:   one row per storefront
insert into payrecon.tieout_offsets (
    fiscal_period, as_of, storefront, zone, basis, unit_count, hit_count, runner_up, runner_up_count
)
select
    tie_run.fiscal_period, tie_run.as_of, tie_offset.storefront, tie_offset.zone, tie_offset.basis, tie_offset.unit_count,
    tie_offset.hit_count, tie_offset.runner_up, tie_offset.runner_up_count
from tie_offset
cross join tie_run
where exists (select 1 from tie_cell where tie_cell.country = tie_offset.country and tie_cell.storefront = tie_offset.storefront);
