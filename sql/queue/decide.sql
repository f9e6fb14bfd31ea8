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
selection as (
    select cardinality(:'break_ids'::text[]) > 0 or :'order_id'::text is not null or :'charge_id'::text is not null as is_named
),
viewed_case as (
    select case_leases.case_id, case_leases.seen_break_ids, case_leases.seen_as_of, case_leases.seen_attempts
    from case_leases
    where case_leases.case_id = any(:'case_ids'::text[])
        and case_leases.account = acting_account()
        and case_leases.seen_break_ids is not null
),
viewed_event as (
    select viewed_case.case_id, shown.break_id, shown.as_of, shown.attempt
    from viewed_case
    cross join lateral unnest(viewed_case.seen_break_ids, viewed_case.seen_as_of, viewed_case.seen_attempts)
        as shown (break_id, as_of, attempt)
),
open_break as (
    select items.case_id, items.item_id as break_id, items.name
    from case_items_at(:'as_of'::timestamptz, :'item_ids'::text[]) as items
    cross join selection
    where items.case_id = any(:'case_ids'::text[])
        and items.item_kind = 'break'
        and items.is_open
        and not items.is_decided
        and (
            not selection.is_named
            or items.item_id = any(:'break_ids'::text[])
            or (
                cardinality(:'break_ids'::text[]) = 0
                and (items.order_id = :'order_id'::text or items.charge_id = :'charge_id'::text)
            )
        )
),
current_event as (
    select distinct on (open_break.break_id)
        open_break.case_id, open_break.break_id, open_break.name, break_events.as_of, break_events.attempt
    from open_break
    inner join break_events on break_events.break_id = open_break.break_id
    where break_events.as_of <= :'as_of'::timestamptz
    order by open_break.break_id asc, break_events.as_of desc, break_events.attempt desc
),
decided_event as (
    select
        current_event.case_id, current_event.break_id, coalesce(viewed_event.as_of, current_event.as_of) as as_of,
        coalesce(viewed_event.attempt, current_event.attempt) as attempt
    from current_event
    left join viewed_event
        on viewed_event.break_id = current_event.break_id
        and current_event.break_id <> all(:'break_ids'::text[])
    where viewed_event.break_id is not null
        or current_event.break_id = any(:'break_ids'::text[])
        or current_event.case_id not in (select viewed_case.case_id from viewed_case)
),
changed_breaks as (
    select
        current_event.case_id,
        string_agg(
            current_event.name || ' ' || current_event.break_id, ',' order by current_event.name, current_event.break_id
        ) as breaks
    from current_event
    inner join viewed_case on viewed_case.case_id = current_event.case_id
    left join viewed_event on viewed_event.break_id = current_event.break_id
    where current_event.break_id <> all(:'break_ids'::text[])
        and (current_event.as_of, current_event.attempt) is distinct from (viewed_event.as_of, viewed_event.attempt)
    group by current_event.case_id
),
decided_breaks as (
    select
        decided_event.case_id,
        array_agg(decided_event.break_id order by decided_event.break_id collate "C") as break_ids,
        array_agg(decided_event.as_of order by decided_event.break_id collate "C") as seen_as_of,
        array_agg(decided_event.attempt order by decided_event.break_id collate "C") as seen_attempts
    from decided_event
    group by decided_event.case_id
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
        case when selection.is_named then 'named' else 'case' end,
        coalesce(decided_breaks.break_ids, '{}'), coalesce(decided_breaks.seen_as_of, '{}'), coalesce(decided_breaks.seen_attempts, '{}'),
        :'holds_until'::timestamptz, :'apple'::text
    from chosen
    cross join selection
    left join decided_breaks on decided_breaks.case_id = chosen.case_id
    where not selection.is_named
        or decided_breaks.case_id is not null
        -- A forced match concerns the named pair, whatever breaks it has.
        or :'action'::text not in ('accept', 'dismiss', 'write_off')
    returning case_id, decision_id, cardinality(break_ids)::bigint as break_count
)
select decision.case_id, decision.decision_id, decision.break_count, coalesce(changed_breaks.breaks, '') as changed_breaks
from decision
left join changed_breaks on changed_breaks.case_id = decision.case_id;
