-- purpose: consumes the units of a step's pairs on both sides and records the cause; in our cells the difference is Apple's
--          side less ours.
-- grain:   one row per pair
insert into tie_part (cell_no, cause, counter_no, units, detail, is_proof)
select cell_no, cause, counter_no, sum(units), (array_agg(detail order by english(detail) collate "C"))[1], is_proof
from (
    select
        tie_pair.l1_no as cell_no, tie_pair.cause, coalesce(tie_pair.l3_no, 0) as counter_no, -tie_pair.units as units, tie_pair.detail,
        tie_pair.is_proof
    from tie_pair
    where tie_pair.l1_no is not null
    union all
    select tie_pair.l3_no, tie_pair.cause, coalesce(tie_pair.l1_no, 0), tie_pair.units, tie_pair.detail, tie_pair.is_proof
    from tie_pair
    where tie_pair.l3_no is not null
) as side
group by cell_no, cause, counter_no, is_proof;
update tie_rest
set l1_left = tie_rest.l1_left - taken.units
from (select l1_no, sum(units) as units from tie_pair group by l1_no) as taken
where tie_rest.cell_no = taken.l1_no;
update tie_rest
set l3_left = tie_rest.l3_left - taken.units
from (select l3_no, sum(units) as units from tie_pair group by l3_no) as taken
where tie_rest.cell_no = taken.l3_no;
delete from tie_pair;
