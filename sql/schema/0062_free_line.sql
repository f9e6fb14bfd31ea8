-- purpose: on the auditors' bridge what costs nothing in Apple's report is no duplicate: it has line 25 for itself, and what nothing
--          explains and Apple's customer value follow as 26 and 27. Bridges that were recorded before are put that way, too.
update payrecon.tieout_bridge set line_no = 27 where line_no = 26;
update payrecon.tieout_bridge set line_no = 26 where line_no = 25;

insert into payrecon.tieout_bridge (fiscal_period, as_of, section, line_no, label, count, amount, currency, source, ref)
select
    part.fiscal_period, part.as_of, 'customer', 25, '+ free in Apple''s report, counts only', sum(part.units)::bigint, 0,
    cell.customer_currency, 'T16', 'export cells, explained_T16'
from payrecon.tieout_parts as part
inner join payrecon.tieout_cells as cell
    on cell.fiscal_period = part.fiscal_period
    and cell.as_of = part.as_of
    and cell.cell_id = part.cell_id
where part.cause = 'T16'
group by part.fiscal_period, part.as_of, cell.customer_currency;

update payrecon.tieout_bridge as other
set count = other.count - free.count
from payrecon.tieout_bridge as free
where other.line_no = 24
    and free.line_no = 25
    and free.fiscal_period = other.fiscal_period
    and free.as_of = other.as_of
    and free.currency = other.currency;

delete from payrecon.tieout_bridge as other
where other.line_no = 24
    and not exists (
        select 1
        from payrecon.tieout_parts as part
        inner join payrecon.tieout_cells as cell
            on cell.fiscal_period = part.fiscal_period
            and cell.as_of = part.as_of
            and cell.cell_id = part.cell_id
        where part.cause = 'T12'
            and part.fiscal_period = other.fiscal_period
            and part.as_of = other.as_of
            and cell.customer_currency = other.currency
    );
