-- purpose: Returns the coverage of fiscal periods by their newest tie-out at a clock: the share of units that are proved or
--          explained, in percent rounded down, of the least covered currency; 100 without units.
-- grain:   one row per tied-out period
create or replace function payrecon.period_coverage(clock timestamptz) returns table (
    fiscal_period text, tied_out_at timestamptz, coverage numeric
)
language sql stable parallel safe
as $$
    select counted.fiscal_period, counted.as_of, coalesce(min(counted.percent), 100)
    from (
        select
            newest.fiscal_period, newest.as_of, cell.currency,
            trunc(sum(cell.proved + cell.explained) * 100 / nullif(sum(cell.units), 0), 2) as percent
        from (
            select tieouts.fiscal_period, max(tieouts.as_of) as as_of
            from payrecon.tieouts
            where tieouts.as_of <= clock
                and not tieouts.is_provisional
            group by tieouts.fiscal_period
        ) as newest
        left join payrecon.covered_cells as cell using (fiscal_period, as_of)
        group by newest.fiscal_period, newest.as_of, cell.currency
    ) as counted
    group by counted.fiscal_period, counted.as_of
$$;
