-- purpose: ids of tie-out cells that equal a text or start with it; an exact match comes first.
-- parameters: prefix (text), rows (bigint): limit
-- grain:   one row per id, in order
select distinct tieout_cells.cell_id
from tieout_cells
where tieout_cells.cell_id >= :'prefix'::text
    and tieout_cells.cell_id < :'prefix'::text || chr(1114111)
order by tieout_cells.cell_id
limit :'rows'::bigint;
