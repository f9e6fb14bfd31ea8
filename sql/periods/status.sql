-- purpose: Apple's fiscal periods that were opened by a clock: whether each is closed, by whom, how far it is covered, what its
--          close still needs, and what became known since. state: closed, close_proposed, reopen_proposed or open.
-- parameters: as_of (timestamptz), period (text): only this period; empty for all, target (text): coverage in percent
-- grain:   one row per fiscal period
with pending as (
    select proposal.*
    from period_steps as proposal
    where proposal.step = 'proposed'
        and proposal.at <= :'as_of'::timestamptz
        and not exists (
            select 1
            from period_steps as later
            where later.act_id = proposal.act_id
                and later.step <> 'proposed'
                and later.at <= :'as_of'::timestamptz
        )
)
select
    opened.fiscal_period, opened.starts_on::text as starts_on, opened.ends_on::text as ends_on,
    case
        when pending.kind = 'reopen' then 'reopen_proposed'
        when closed.fiscal_period is not null then 'closed'
        when pending.kind = 'close' then 'close_proposed'
        else 'open'
    end as state,
    rfc3339(coalesce(closed.as_of, pending.as_of)) as closed_as_of,
    coalesce(closed.proposed_by, case when pending.kind = 'close' then pending.account end) as proposed_by,
    rfc3339(coalesce(closed.proposed_at, case when pending.kind = 'close' then pending.at end)) as proposed_at,
    closed.signed_by, rfc3339(closed.signed_at) as signed_at,
    case when pending.kind = 'reopen' then pending.account end as reopening_proposed_by,
    coalesce(closed.coverage, covered.coverage)::text as coverage_percent,
    coalesce(closed.coverage_target, :'target'::text::numeric)::text as target_percent,
    closed.reports_sha256,
    case
        when closed.fiscal_period is null then coalesce(
            (
                select string_agg(english(found.obstacle), '; ' order by found.place)
                from period_obstacles(
                    opened.fiscal_period, coalesce(pending.as_of, :'as_of'::timestamptz), :'as_of'::timestamptz, :'target'::text::numeric
                ) as found
            ),
            ''
        )
    end as obstacles,
    case when closed.fiscal_period is not null then rfc3339(nullif(covered.tied_out_at, closed.tied_out_at)) end as tied_out_again_at,
    case
        when closed.fiscal_period is not null then (
            select count(*)
            from finance_files_at(:'as_of'::timestamptz) as file
            where file.fiscal_period = opened.fiscal_period
                and file.known_at > closed.as_of
        )
    end as new_files,
    case
        when closed.fiscal_period is not null
            then changed_charges(opened.starts_on, opened.ends_on, closed.as_of, :'as_of'::timestamptz)
    end as changed_charges
from opened_periods_at(:'as_of'::timestamptz) as opened
left join closed_periods_at(:'as_of'::timestamptz) as closed on closed.fiscal_period = opened.fiscal_period
left join pending on pending.fiscal_period = opened.fiscal_period
left join period_coverage(:'as_of'::timestamptz) as covered on covered.fiscal_period = opened.fiscal_period
where :'period'::text in ('', opened.fiscal_period)
order by opened.starts_on;
