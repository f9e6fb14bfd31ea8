-- purpose: a page of what waits for a person, best first, as far as an account's inboxes reach; what is behind a place stays
--          behind it, whatever comes in.
-- parameters: as_of (timestamptz), inboxes (text[]): none for all; name, severity, app, storefront, holder, assignee (text):
--             empty for any; aside (boolean): also what is set aside; days, amount (bigint): at least, amount in milliunits
--             of its own currency; after (text): place of the last row of the page before; rows (bigint)
-- grain:   one row per case that is open, taken or waits for a second person
with recursive held as materialized (
    select case_leases.case_id, case_leases.person
    from case_leases
    where case_leases.lease_until > :'as_of'::timestamptz
),
-- Which apps cases are about together, one set after the other from an index: few, of which fewer have the one that is wanted.
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
about as (
    select apps.bundle_ids
    from apps
    where apps.bundle_ids @> array[:'app'::text collate "C"]
    union all
    -- Whatever they are about.
    select null where :'app'::text = ''
),
paged as materialized (
    select waiting.*
    from about
    cross join lateral (
        select waiting.*
        from console_cases as waiting
        where waiting.status in ('open', 'waiting_approval')
            and waiting.place > :'after'::text collate "C"
            and (:'name'::text = '' or waiting.names @> array[:'name'::text collate "C"])
            and (:'severity'::text = '' or waiting.rank = severity_rank(:'severity'::text))
            and (:'app'::text = '' or waiting.bundle_ids = about.bundle_ids)
            and (:'storefront'::text = '' or waiting.storefronts @> array[:'storefront'::text collate "C"])
            and (:'assignee'::text = '' or :'assignee'::text = waiting.assignee)
            and (:'aside'::boolean or waiting.returns_at is null or waiting.returns_at <= :'as_of'::timestamptz)
            and (
                :'holder'::text = ''
                -- Few, found by their ids.
                or waiting.case_id = any(array(select mine.case_id from held as mine where mine.person = :'holder'::text))
            )
            and (:'days'::bigint = 0 or waiting.opened_at <= :'as_of'::timestamptz - make_interval(days => :'days'::bigint::integer))
            and (:'amount'::bigint = 0 or waiting.amount_milliunits >= :'amount'::bigint)
            and (cardinality(:'inboxes'::text[]) = 0 or waiting.teams && :'inboxes'::text[])
        order by waiting.place
        -- A word or a team that hardly any case has is found by itself when that looks shorter than going along the queue for more
        -- than a page; only what is shown is read on.
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
    case when paged.status = 'open' and held.case_id is not null then 'taken' else paged.status end as status,
    coalesce(severity_of(paged.rank), '') as severity,
    array_to_string(paged.names, ' ') as about,
    paged.subject_kind || ' ' || paged.subject_id as subject,
    array_to_string(paged.bundle_ids, ' ') as app,
    money_text(paged.amount_milliunits, paged.currency) as at_stake,
    paged.amount_milliunits,
    paged.currency,
    rfc3339(paged.due_at) as due_at,
    paged.assignee,
    case when paged.returns_at > :'as_of'::timestamptz then rfc3339(paged.returns_at) end as returns_at,
    coalesce(held.person, case when paged.status = 'waiting_approval' then 'proposed by ' || paged.proposed_by end) as person,
    coalesce(paged.due_at < :'as_of'::timestamptz, false) as is_late,
    paged.place
from paged
left join held on held.case_id = paged.case_id
order by paged.place
limit :'rows'::bigint;
