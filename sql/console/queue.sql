-- purpose: a page of what waits for a person, best first, as far as an account's inboxes reach; what is behind a place stays
--          behind it, whatever comes in.
-- parameters: as_of (timestamptz), inboxes (text[]): none for all; name, severity, app, storefront, holder, assignee (text):
--             empty for any; aside (boolean): also what is set aside; days, amount (bigint): at least, amount in milliunits
--             of its own currency; after (text): place of the last row of the page before; rows (bigint)
-- grain:   one row per case that is open, taken or waits for a second person
with held as materialized (
    select case_leases.case_id, case_leases.person
    from case_leases
    where case_leases.lease_until > :'as_of'::timestamptz
)
select
    waiting.case_id,
    case when waiting.status = 'open' and held.case_id is not null then 'taken' else waiting.status end as status,
    coalesce(severity_of(waiting.rank), '') as severity,
    array_to_string(waiting.names, ' ') as about,
    waiting.subject_kind || ' ' || waiting.subject_id as subject,
    array_to_string(waiting.bundle_ids, ' ') as app,
    money_text(waiting.amount_milliunits, waiting.currency) as at_stake,
    waiting.amount_milliunits,
    waiting.currency,
    rfc3339(waiting.due_at) as due_at,
    waiting.assignee,
    case when waiting.returns_at > :'as_of'::timestamptz then rfc3339(waiting.returns_at) end as returns_at,
    coalesce(held.person, case when waiting.status = 'waiting_approval' then 'proposed by ' || waiting.proposed_by end) as person,
    coalesce(waiting.due_at < :'as_of'::timestamptz, false) as is_late,
    waiting.place
from console_cases as waiting
left join held on held.case_id = waiting.case_id
where waiting.status in ('open', 'waiting_approval')
    and waiting.place > :'after'::text collate "C"
    and (:'name'::text = '' or :'name'::text = any(waiting.names))
    and (:'severity'::text = '' or :'severity'::text = severity_of(waiting.rank))
    and (:'app'::text = '' or :'app'::text = any(waiting.bundle_ids))
    and (:'storefront'::text = '' or :'storefront'::text = any(waiting.storefronts))
    and (:'assignee'::text = '' or :'assignee'::text = waiting.assignee)
    and (:'aside'::boolean or waiting.returns_at is null or waiting.returns_at <= :'as_of'::timestamptz)
    and (:'holder'::text = '' or :'holder'::text = held.person)
    and (:'days'::bigint = 0 or waiting.opened_at <= :'as_of'::timestamptz - make_interval(days => :'days'::bigint::integer))
    and (:'amount'::bigint = 0 or waiting.amount_milliunits >= :'amount'::bigint)
    and (cardinality(:'inboxes'::text[]) = 0 or waiting.teams && :'inboxes'::text[])
order by waiting.place
limit :'rows'::bigint;
