-- purpose: keeps where Apple's day was found to begin in the storefronts that sold something.
-- parameters: none
-- grain:   one row per storefront
insert into payrecon.tieout_offsets (fiscal_period, as_of, storefront, offset_hours, basis, unit_count, hit_count)
select tie_run.fiscal_period, tie_run.as_of, tie_offset.storefront, tie_offset.offset_hours, tie_offset.basis, tie_offset.unit_count,
    tie_offset.hit_count
from tie_offset
cross join tie_run
where exists (select 1 from tie_cell where tie_cell.country = tie_offset.country and tie_cell.storefront = tie_offset.storefront);
