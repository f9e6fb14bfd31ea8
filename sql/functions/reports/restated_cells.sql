-- purpose: Returns each cell of a period's first tie-out, or of the signed one if since_close, with its counterpart in the
--          newest one at the report's clock: the restated money at customer prices then and now, and the cause of the change.
-- grain:   one row per cell and metric, changed or not; cause: late_fact, refund, reversal, restated_by_apple, policy,
--          program_version, or other if both sides changed
create or replace function payrecon.restated_cells(since_close boolean) returns table (
    fiscal_period text, currency text, metric text, cell_id text, first_reported numeric, now numeric, cause text, is_changed boolean
)
language sql stable parallel safe
as $$
    with cell as (
        select side.is_first, valued_cells.*
        from payrecon.restated_tieouts(since_close) as latest
        cross join lateral (values (true, latest.first_as_of), (false, latest.as_of)) as side (is_first, at)
        inner join payrecon.valued_cells
            on valued_cells.fiscal_period = latest.fiscal_period
            and valued_cells.as_of = side.at
    ),
    paired as (
        select
            fiscal_period, cell_id, coalesce(before.customer_currency, after.customer_currency) as currency,
            coalesce(before.region, after.region) as region,
            coalesce(before.sign, after.sign) as sign,
            coalesce(before.customer_price, after.customer_price) as price,
            coalesce(before.l1_gross, 0) as gross_before, coalesce(after.l1_gross, 0) as gross_after,
            coalesce(before.l1_units, 0) as l1_before, coalesce(after.l1_units, 0) as l1_after,
            coalesce(before.l3_units, 0) as l3_before, coalesce(after.l3_units, 0) as l3_after,
            coalesce(before.unexplained_units, 0) as rest_before, coalesce(after.unexplained_units, 0) as rest_after,
            coalesce(before.open_units, 0) as open_before, coalesce(after.open_units, 0) as open_after,
            (coalesce(before.l1_units, 0), coalesce(before.l3_units, 0), coalesce(before.status, ''))
                <> (coalesce(after.l1_units, 0), coalesce(after.l3_units, 0), coalesce(after.status, '')) as is_changed
        from (select * from cell where cell.is_first) as before
        full join (select * from cell where not cell.is_first) as after using (fiscal_period, cell_id)
    ),
    -- A report that is first read later is no other version of an earlier one.
    version as materialized (
        select distinct latest.fiscal_period, newer.region, newer.report
        from payrecon.restated_tieouts(since_close) as latest
        inner join payrecon.tieouts as earlier_tieout
            on earlier_tieout.fiscal_period = latest.fiscal_period
            and earlier_tieout.as_of = latest.first_as_of
        inner join payrecon.finance_files as older on older.file_sha256 = any(earlier_tieout.files)
        inner join payrecon.finance_files as newer
            on newer.file_sha256 = any(latest.files)
            and newer.report = older.report
            and newer.region = older.region
            and payrecon.could_be_same_vendor(newer.vendor, older.vendor)
        where newer.file_sha256 <> all(earlier_tieout.files)
            and older.file_sha256 <> all(latest.files)
    ),
    moved as (
        select
            paired.*,
            case paired.sign when 1 then 'late_fact' else 'refund' end as by_us,
            case
                when exists (
                    select 1
                    from version
                    where version.fiscal_period = paired.fiscal_period
                        and (version.report <> 'FINANCIAL' or version.region in ('ZZ', paired.region))
                ) then 'restated_by_apple'
                else 'late_fact'
            end as by_apple
        from paired
    )
    select
        moved.fiscal_period, moved.currency, change.metric, moved.cell_id, change.before, change.after,
        case
            -- Our own side grows again when a refund is reversed.
            when change.cause = 'refund' and change.metric = 'our gross' and change.after > change.before then 'reversal'
            else change.cause
        end,
        moved.is_changed
    from moved
    inner join payrecon.restated_tieouts(since_close) as latest on latest.fiscal_period = moved.fiscal_period
    -- The rest of a cell's change follows the side that changed; if neither did, another period's report, a decision or
    -- settings changed it.
    cross join lateral (
        select case
            when moved.l1_before <> moved.l1_after and moved.l3_before <> moved.l3_after then 'other'
            when moved.l1_before <> moved.l1_after then moved.by_us
            when moved.l3_before <> moved.l3_after then moved.by_apple
            else latest.other_cause
        end as of_rest
    ) as cause
    cross join lateral (values
        ('our gross', moved.gross_before, moved.gross_after, moved.by_us),
        ('Apple gross', moved.l3_before * moved.price, moved.l3_after * moved.price, moved.by_apple),
        ('unexplained', moved.rest_before * moved.price, moved.rest_after * moved.price, cause.of_rest),
        ('not yet settled', moved.open_before * moved.price, moved.open_after * moved.price, cause.of_rest)
    ) as change (metric, before, after, cause)
$$;

-- Returns the contribution of each cell to the figures of the restatement.
create or replace function payrecon.restated_rows() returns table (
    fiscal_period text, currency text, metric text, cell_id text, figure text, value numeric
)
language sql stable parallel safe
as $$
    select cell.fiscal_period, cell.currency, cell.metric, cell.cell_id, part.figure, part.value
    from payrecon.restated_cells(false) as cell
    cross join lateral (values
        ('first_reported', cell.first_reported), ('now', cell.now), ('delta', cell.now - cell.first_reported),
        (
            case
                when cell.cause in ('late_fact', 'program_version') then 'delta_late_facts'
                when cell.cause in ('refund', 'reversal') then 'delta_refunds'
                else 'delta_' || cell.cause
            end, cell.now - cell.first_reported
        ),
        ('rows_changed', case when cell.is_changed then 1 else 0 end)
    ) as part (figure, value)
$$;
