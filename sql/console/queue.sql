-- purpose: a page of the pending cases, best first, limited to an account's inboxes. A case keeps its place relative to
--          the page boundary, whatever arrives.
-- parameters: as_of (timestamptz), inboxes (text[]): none for all; name, severity, app, storefront, holder, assignee,
--             currency (text): empty for any; aside (boolean): include cases set aside; late (boolean): only overdue
--             cases; days, under (bigint): minimum and upper bound of the days since opening, 0 for none; first_day,
--             last_day (timestamptz): days of opening in UTC, null for any; until_day (timestamptz): last day of opening
--             in UTC, null for any; amount (bigint): minimum in milliunits of the case's currency; approver (text):
--             account whose own proposals are left out, empty to leave out all, null for none; after (text): sort key
--             of the previous page's last row; rows (bigint)
-- grain:   one row per case that is open, assigned or awaiting a second approval
with recursive lease as materialized (
    select case_leases.case_id, case_leases.person
    from case_leases
    where case_leases.lease_until > :'as_of'::timestamptz
),
-- The distinct sets of apps, read one by one from an index. They are few, and fewer contain the requested app.
apps as (
    (
        select waiting.bundle_ids
        from console_cases as waiting
        where :'app'::text <> ''
            and waiting.status in ('open', 'waiting_approval')
        order by waiting.bundle_ids
        limit 1
    )
    union all
    select further.bundle_ids
    from apps
    cross join lateral (
        select waiting.bundle_ids
        from console_cases as waiting
        where waiting.status in ('open', 'waiting_approval')
            and waiting.bundle_ids > apps.bundle_ids
        order by waiting.bundle_ids
        limit 1
    ) as further
),
app_set as (
    select apps.bundle_ids
    from apps
    where apps.bundle_ids @> array[:'app'::text collate "C"]
    union all
    -- Any set of apps.
    select null where :'app'::text = ''
),
-- Each day is read in the order of the queue, because the cases of a day can be the last of a long queue.
days as (
    select day.start::date as opened_on
    from generate_series(
        date_trunc('day', :'first_day'::timestamptz at time zone 'UTC'), :'last_day'::timestamptz at time zone 'UTC', interval '1 day'
    ) as day (start)
    union all
    -- Any day.
    select null where :'first_day'::timestamptz is null
),
paged as materialized (
    select waiting.*
    from app_set
    cross join days
    cross join lateral (
        select waiting.*
        from console_cases as waiting
        where waiting.status in ('open', 'waiting_approval')
            and waiting.place > :'after'::text collate "C"
            and (:'name'::text = '' or waiting.names @> array[:'name'::text collate "C"])
            and (:'severity'::text = '' or waiting.rank = severity_rank(:'severity'::text)
                or (:'severity'::text = 'critical' and waiting.rank = 5))
            and (:'app'::text = '' or waiting.bundle_ids = app_set.bundle_ids)
            and (:'storefront'::text = '' or waiting.storefronts @> array[:'storefront'::text collate "C"])
            and (:'assignee'::text = '' or :'assignee'::text = waiting.assignee)
            and (:'aside'::boolean or waiting.returns_at is null or waiting.returns_at <= :'as_of'::timestamptz)
            and (
                :'holder'::text = ''
                -- Few cases, found by their ids.
                or waiting.case_id = any(array(select mine.case_id from lease as mine where mine.person = :'holder'::text))
            )
            and (:'first_day'::timestamptz is null or (waiting.opened_at at time zone 'UTC')::date = days.opened_on)
            and (
                :'until_day'::timestamptz is null
                or (waiting.opened_at at time zone 'UTC')::date <= (:'until_day'::timestamptz at time zone 'UTC')::date
            )
            and (
                :'days'::bigint = 0
                or (
                    waiting.opened_at <= :'as_of'::timestamptz - make_interval(days => :'days'::bigint::integer)
                    -- The same in whole days, for the index.
                    and (waiting.opened_at at time zone 'UTC')::date
                    <= ((:'as_of'::timestamptz - make_interval(days => :'days'::bigint::integer)) at time zone 'UTC')::date
                )
            )
            and (:'under'::bigint = 0 or waiting.opened_at > :'as_of'::timestamptz - make_interval(days => :'under'::bigint::integer))
            and (not :'late'::boolean or waiting.due_at < :'as_of'::timestamptz)
            and (:'currency'::text = '' or waiting.currency = :'currency'::text)
            and (
                :'approver'::text is null
                or waiting.status = 'open'
                or (:'approver'::text <> '' and waiting.proposed_by <> :'approver'::text)
            )
            and (:'amount'::bigint = 0 or waiting.amount_milliunits >= :'amount'::bigint)
            and (cardinality(:'inboxes'::text[]) = 0 or waiting.teams && :'inboxes'::text[])
        order by waiting.place
        -- A larger limit makes the planner search rare classes and teams separately instead of scanning the queue. Only
        -- the rows of the page are read further.
        limit greatest(
            :'rows'::bigint,
            case
                when concat(:'name'::text, :'storefront'::text, array_to_string(:'inboxes'::text[], '')) = '' then 0
                else 1000
            end
        )
    ) as waiting
)
select
    paged.case_id,
    case
        when paged.status = 'open' and lease.case_id is not null then 'taken'
        when paged.proposed_action = 'undo' then 'undo_proposed'
        else paged.status
    end as status,
    coalesce(severity_of(paged.rank), '') as severity,
    array_to_string(paged.names, ' ') as about,
    phrase('case.subject', jsonb_build_object('kind', phrase('word.' || paged.subject_kind), 'id', paged.subject_id)) as subject,
    array_to_string(paged.bundle_ids, ' ') as app,
    money_text(paged.amount_milliunits, paged.currency) as at_stake,
    paged.amount_milliunits, paged.currency,
    rfc3339(paged.due_at) as due_at,
    rfc3339(paged.proposed_at) as proposed_at,
    paged.assignee,
    case when paged.returns_at > :'as_of'::timestamptz then rfc3339(paged.returns_at) end as returns_at,
    case
        when lease.person is not null then to_jsonb(lease.person)
        when paged.status = 'waiting_approval' then phrase('queue.proposed_by', 'person', paged.proposed_by)
    end as person,
    paged.place
from paged
left join lease on lease.case_id = paged.case_id
order by paged.place
limit :'rows'::bigint;
