-- purpose: records a decision and its breaks: of an assigned case, the named breaks and those that its assignee saw, as they
--          were then; of an unassigned case, all current ones. Actions that need two people are only proposed.
-- parameters: case_ids, break_ids (text[]): none selects the undecided breaks of the cases, or of order and charge; action,
--             outcome, reason, person, order_id, charge_id (text), holds_until, as_of (timestamptz); item_ids (text[]): the
--             breaks and signals of the cases, null if unknown; apple (text): Apple's answer, null if nobody is punished
-- grain:   one row per case: its id, the decision's id, the number of breaks, and breaks that are new or changed since the
--          person looked; none for a case without a named break that is open and undecided
with gathered as (
    select state.case_id, state.subject_kind, state.subject_id, state.currency, state.amount_milliunits
    from cases_at(:'as_of'::timestamptz, :'item_ids'::text[], :'case_ids'::text[]) as state
    where state.case_id = any(:'case_ids'::text[])
),
chosen as (
    select * from gathered
    union all
    -- A wrong match may be the only problem; its customer then has no case yet.
    select case_id_of('user', orders.user_id), 'user', orders.user_id, null, null
    from orders
    where orders.order_id = :'order_id'::text
        and :'action'::text in ('forced_match', 'unmatch', 'benign_duplicate')
        and case_id_of('user', orders.user_id) = any(:'case_ids'::text[])
        and case_id_of('user', orders.user_id) not in (select gathered.case_id from gathered)
),
named as (
    select cardinality(:'break_ids'::text[]) > 0 or :'order_id'::text is not null or :'charge_id'::text is not null as so
),
sight as (
    select case_leases.case_id, case_leases.seen_break_ids, case_leases.seen_as_of, case_leases.seen_attempts
    from case_leases
    where case_leases.case_id = any(:'case_ids'::text[])
        and case_leases.account = acting_account()
        and case_leases.seen_break_ids is not null
),
sighted as (
    select sight.case_id, shown.break_id, shown.as_of, shown.attempt
    from sight
    cross join lateral unnest(sight.seen_break_ids, sight.seen_as_of, sight.seen_attempts) as shown (break_id, as_of, attempt)
),
item as (
    select items.case_id, items.item_id as break_id, items.name
    from case_items_at(:'as_of'::timestamptz, :'item_ids'::text[]) as items
    cross join named
    where items.case_id = any(:'case_ids'::text[])
        and items.item_kind = 'break'
        and items.is_open
        and not items.is_decided
        and (
            not named.so
            or items.item_id = any(:'break_ids'::text[])
            or (
                cardinality(:'break_ids'::text[]) = 0
                and (items.order_id = :'order_id'::text or items.charge_id = :'charge_id'::text)
            )
        )
),
newest as (
    select distinct on (item.break_id) item.case_id, item.break_id, item.name, break_events.as_of, break_events.attempt
    from item
    inner join break_events on break_events.break_id = item.break_id
    where break_events.as_of <= :'as_of'::timestamptz
    order by item.break_id asc, break_events.as_of desc, break_events.attempt desc
),
seen as (
    select
        newest.case_id, newest.break_id, coalesce(sighted.as_of, newest.as_of) as as_of,
        coalesce(sighted.attempt, newest.attempt) as attempt
    from newest
    left join sighted
        on sighted.break_id = newest.break_id
        and newest.break_id <> all(:'break_ids'::text[])
    where sighted.break_id is not null
        or newest.break_id = any(:'break_ids'::text[])
        or newest.case_id not in (select sight.case_id from sight)
),
late as (
    select newest.case_id, string_agg(newest.name || ' ' || newest.break_id, ',' order by newest.name, newest.break_id) as breaks
    from newest
    inner join sight on sight.case_id = newest.case_id
    left join sighted on sighted.break_id = newest.break_id
    where newest.break_id <> all(:'break_ids'::text[])
        and (newest.as_of, newest.attempt) is distinct from (sighted.as_of, sighted.attempt)
    group by newest.case_id
),
about as (
    select
        seen.case_id,
        array_agg(seen.break_id order by seen.break_id collate "C") as break_ids,
        array_agg(seen.as_of order by seen.break_id collate "C") as seen_as_of,
        array_agg(seen.attempt order by seen.break_id collate "C") as seen_attempts
    from seen
    group by seen.case_id
),
decision as (
    insert into case_decisions (
        case_id, decision_id, step, action, outcome, subject_kind, subject_id, order_id, charge_id, currency, reason,
        decided_by, amount_milliunits, at, scope, break_ids, seen_as_of, seen_attempts, holds_until, apple
    )
    select
        chosen.case_id,
        id_hash(concat_ws('|', chosen.case_id, :'action'::text, :'person'::text, acting_account(), rfc3339(:'as_of'::timestamptz))),
        case
            when :'action'::text in ('ban', 'forced_match', 'unmatch', 'benign_duplicate', 'write_off') then 'proposed'
            else 'effective'
        end,
        :'action'::text, :'outcome'::text, chosen.subject_kind, chosen.subject_id, :'order_id'::text, :'charge_id'::text,
        chosen.currency, :'reason'::text, :'person'::text, chosen.amount_milliunits, :'as_of'::timestamptz,
        case when named.so then 'named' else 'case' end,
        coalesce(about.break_ids, '{}'), coalesce(about.seen_as_of, '{}'), coalesce(about.seen_attempts, '{}'),
        :'holds_until'::timestamptz, :'apple'::text
    from chosen
    cross join named
    left join about on about.case_id = chosen.case_id
    where not named.so
        or about.case_id is not null
        -- A forced match concerns the named pair, whatever breaks it has.
        or :'action'::text not in ('accept', 'dismiss', 'write_off')
    returning case_id, decision_id, cardinality(break_ids)::bigint as break_count
)
select decision.case_id, decision.decision_id, decision.break_count, coalesce(late.breaks, '') as late
from decision
left join late on late.case_id = decision.case_id;
