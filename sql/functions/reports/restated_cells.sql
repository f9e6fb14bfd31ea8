-- purpose: Returns each cell of a period's first tie-out, or of the signed one if since_close, with its counterpart in the
--          newest one at the report's clock: the restated money at customer prices then and now, and the causes of the change.
-- grain:   one row per cell and metric, changed or not
create or replace function payrecon.restated_cells(since_close boolean) returns table (
    fiscal_period text, currency text, metric text, cell_id text, first_reported numeric, now numeric, late numeric,
    refunds numeric, restated numeric, beside numeric, is_changed boolean
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
            case paired.sign when 1 then 'late' else 'refunds' end as by_us,
            case
                when exists (
                    select 1
                    from version
                    where version.fiscal_period = paired.fiscal_period
                        and (version.report <> 'FINANCIAL' or version.region in ('ZZ', paired.region))
                ) then 'restated'
                else 'late'
            end as by_apple
        from paired
    )
    select
        paired.fiscal_period, paired.currency, change.metric, paired.cell_id, change.before, change.after,
        case when change.cause = 'late' then change.after - change.before else 0 end,
        case when change.cause = 'refunds' then change.after - change.before else 0 end,
        case when change.cause = 'restated' then change.after - change.before else 0 end,
        case when change.cause = 'beside' then change.after - change.before else 0 end,
        paired.is_changed
    from moved as paired
    -- The rest of a cell's change follows the side that changed; if neither did, another period's report, a decision or
    -- settings changed it.
    cross join lateral (
        select case
            when paired.l1_before <> paired.l1_after and paired.l3_before <> paired.l3_after then 'both'
            when paired.l1_before <> paired.l1_after then paired.by_us
            when paired.l3_before <> paired.l3_after then paired.by_apple
            else 'beside'
        end as of_rest
    ) as cause
    cross join lateral (values
        ('our gross', paired.gross_before, paired.gross_after, paired.by_us),
        ('Apple gross', paired.l3_before * paired.price, paired.l3_after * paired.price, paired.by_apple),
        ('unexplained', paired.rest_before * paired.price, paired.rest_after * paired.price, cause.of_rest),
        ('not yet settled', paired.open_before * paired.price, paired.open_after * paired.price, cause.of_rest)
    ) as change (metric, before, after, cause)
$$;

-- Returns the contribution of each cell to the figures of the restatement. A change without a changed side came late, or is
-- due to policy if the settings differ from the first tie-out's.
create or replace function payrecon.restated_rows() returns table (
    fiscal_period text, currency text, metric text, cell_id text, figure text, value numeric
)
language sql stable parallel safe
as $$
    select cell.fiscal_period, cell.currency, cell.metric, cell.cell_id, part.figure, part.value
    from payrecon.restated_cells(false) as cell
    inner join payrecon.latest_tieouts(payrecon.viewed_at(), as_signed => false) as latest on latest.fiscal_period = cell.fiscal_period
    cross join lateral (values
        ('first_reported', cell.first_reported), ('now', cell.now), ('delta', cell.now - cell.first_reported),
        (
            'delta_late_facts',
            cell.late + case when latest.settings_sha256 = latest.first_settings_sha256 then cell.beside else 0 end
        ),
        ('delta_refunds', cell.refunds), ('delta_restated_by_apple', cell.restated),
        ('delta_policy', case when latest.settings_sha256 <> latest.first_settings_sha256 then cell.beside else 0 end),
        ('delta_other', cell.now - cell.first_reported - cell.late - cell.refunds - cell.restated - cell.beside),
        ('rows_changed', case when cell.is_changed then 1 else 0 end)
    ) as part (figure, value)
$$;
