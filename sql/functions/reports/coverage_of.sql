-- purpose: Returns the coverage of a tie-out by currency, in units and in money at customer prices.
create or replace function payrecon.coverage_of(fiscal_period text, as_of timestamptz) returns table (
    currency text, cell_count bigint, units bigint, proved_units bigint, explained_units bigint, unexplained_units bigint,
    open_units bigint, proved_percent text, explained_percent text, unexplained_percent text, open_percent text, amount text,
    proved_amount text, explained_amount text, unexplained_amount text, open_amount text
)
language sql stable parallel safe
as $$
    select
        counted.currency, counted.cell_count, counted.units, counted.proved, counted.explained, counted.unexplained, counted.open,
        share.percent[1]::text, share.percent[2]::text, share.percent[3]::text, share.percent[4]::text,
        trim_scale(counted.amount)::text, trim_scale(counted.proved_amount)::text, trim_scale(counted.explained_amount)::text,
        trim_scale(counted.unexplained_amount)::text, trim_scale(counted.open_amount)::text
    from (
        select
            cell.currency, count(*) as cell_count, sum(cell.units)::bigint as units, sum(cell.proved)::bigint as proved,
            sum(cell.explained)::bigint as explained, sum(cell.unexplained)::bigint as unexplained, sum(cell.open)::bigint as open,
            sum(cell.units * cell.price) as amount, sum(cell.proved * cell.price) as proved_amount,
            sum(cell.explained * cell.price) as explained_amount, sum(cell.unexplained * cell.price) as unexplained_amount,
            sum(cell.open * cell.price) as open_amount
        from payrecon.covered_cells as cell
        where cell.fiscal_period = coverage_of.fiscal_period
            and cell.as_of = coverage_of.as_of
        group by cell.currency
    ) as counted
    cross join lateral (
        select payrecon.shares_of(array[counted.proved, counted.explained, counted.unexplained, counted.open])
    ) as share (percent)
$$;
