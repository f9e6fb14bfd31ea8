-- purpose: consumes the units of a step's pairs on both sides and records the cause; in our cells the difference is Apple's
--          side less ours.
-- grain:   one row per pair
insert into tie_part (cell_no, cause, counter_no, units, detail, is_proof)
select
    side.cell_no, tie_pair.cause, coalesce(side.counter_no, 0), sum(side.units),
    (array_agg(tie_pair.detail order by english(tie_pair.detail) collate "C"))[1], tie_pair.is_proof
from tie_pair
cross join lateral (values
    (tie_pair.l1_no, tie_pair.l3_no, -tie_pair.units), (tie_pair.l3_no, tie_pair.l1_no, tie_pair.units)
) as side (cell_no, counter_no, units)
where side.cell_no is not null
group by side.cell_no, tie_pair.cause, side.counter_no, tie_pair.is_proof;
update tie_rest
set
    l1_left = tie_rest.l1_left - taken.units,
    partial_left = least(tie_rest.partial_left - taken.partial_units, tie_rest.l1_left - taken.units)
from (
    select l1_no, sum(units) as units, coalesce(sum(units) filter (where cause = 'T5'), 0) as partial_units from tie_pair group by l1_no
) as taken
where tie_rest.cell_no = taken.l1_no;
update tie_rest
set l3_left = tie_rest.l3_left - taken.units
from (select l3_no, sum(units) as units from tie_pair group by l3_no) as taken
where tie_rest.cell_no = taken.l3_no;
delete from tie_pair;
