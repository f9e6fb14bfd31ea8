-- purpose: ids of cells of the tie-out that a text is, or begins; a whole id comes first.
-- parameters: prefix (text), rows (bigint): most ids
-- grain:   one row per id, in order
select distinct tieout_cells.cell_id
from tieout_cells
where tieout_cells.cell_id >= :'prefix'::text
    and tieout_cells.cell_id < :'prefix'::text || chr(1114111)
order by tieout_cells.cell_id
limit :'rows'::bigint;
