-- purpose: records a decision and its breaks: of an assigned case, the named breaks and those that its assignee saw, as they
--          were then; of an unassigned case, all current ones. Actions that need two people are only proposed.
-- parameters: case_ids, break_ids (text[]): none selects the undecided breaks of order and charge, or those that the figures
--             of the cases count; action, outcome, reason, person, order_id, charge_id (text), holds_until, as_of
--             (timestamptz); item_ids (text[]): the breaks and signals of the cases, null if unknown; apple (text): Apple's
--             answer, null if nobody is punished
-- grain:   one row per case: its id, the decision's id, the number of breaks, and breaks that are new or changed since the
--          person looked; none for a case without a named break that is open and undecided
with gathered as (
    select state.case_id, state.subject_kind, state.subject_id, state.currency, state.amount_milliunits
    from cases_at(:'as_of'::timestamptz, :'item_ids'::text[], :'case_ids'::text[]) as state
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
-- A case of which the person saw no break has one row without a break.
viewed as (
    select case_leases.case_id, shown.break_id, shown.as_of, shown.attempt
    from case_leases
    left join lateral unnest(case_leases.seen_break_ids, case_leases.seen_as_of, case_leases.seen_attempts)
        as shown (break_id, as_of, attempt) on true
    where case_leases.case_id = any(:'case_ids'::text[])
        and case_leases.account = acting_account()
        and case_leases.seen_break_ids is not null
),
counted as materialized (
    select items.item_id
    from reviewed_items_at(:'as_of'::timestamptz, :'item_ids'::text[], :'case_ids'::text[]) as items
    where items.item_kind = 'break'
        and items.counts
),
current_break as (
    select undecided.*
    from undecided_breaks_at(:'as_of'::timestamptz, :'item_ids'::text[], :'case_ids'::text[]) as undecided
    cross join selection
    where case
            -- A decision on a whole case covers what the figures of the case count.
            when not selection.is_named then undecided.break_id in (select counted.item_id from counted)
            when cardinality(:'break_ids'::text[]) > 0 then undecided.break_id = any(:'break_ids'::text[])
            else undecided.order_id = :'order_id'::text or undecided.charge_id = :'charge_id'::text
        end
        -- One person cannot accept or dismiss a break that a ban covers.
        and not (
            :'action'::text in ('accept', 'dismiss')
            and exists (
                select 1
                from closings_at(:'as_of'::timestamptz) as closing
                where closing.case_id = undecided.case_id
                    and closing.action = 'ban'
                    and undecided.break_id = any(closing.break_ids)
                    and undecided.since_at <= closing.at
            )
        )
),
-- A break is decided as it was viewed, unless it is named.
case_break as (
    select
        current_break.case_id, current_break.break_id, coalesce(viewed.as_of, current_break.as_of) as as_of,
        coalesce(viewed.attempt, current_break.attempt) as attempt,
        asked.is_named or viewed.as_of is not null or not asked.is_case_viewed as is_decided,
        case
            when asked.is_case_viewed
                and not asked.is_named
                and (current_break.as_of, current_break.attempt) is distinct from (viewed.as_of, viewed.attempt)
                then current_break.name || ' ' || current_break.break_id
        end as changed
    from current_break
    cross join lateral (
        select
            current_break.break_id = any(:'break_ids'::text[]) as is_named,
            current_break.case_id in (select viewed.case_id from viewed) as is_case_viewed
    ) as asked
    left join viewed on viewed.break_id = current_break.break_id and not asked.is_named
),
case_breaks as (
    select
        case_break.case_id,
        array_agg(case_break.break_id order by case_break.break_id collate "C") filter (where case_break.is_decided) as break_ids,
        array_agg(case_break.as_of order by case_break.break_id collate "C") filter (where case_break.is_decided) as seen_as_of,
        array_agg(case_break.attempt order by case_break.break_id collate "C") filter (where case_break.is_decided) as seen_attempts,
        string_agg(case_break.changed, ',' order by case_break.changed) as changed
    from case_break
    group by case_break.case_id
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
        coalesce(case_breaks.break_ids, '{}'), coalesce(case_breaks.seen_as_of, '{}'), coalesce(case_breaks.seen_attempts, '{}'),
        :'holds_until'::timestamptz, :'apple'::text
    from chosen
    cross join selection
    left join case_breaks on case_breaks.case_id = chosen.case_id
    where not selection.is_named
        or case_breaks.break_ids is not null
        -- A forced match concerns the named pair, whatever breaks it has.
        or :'action'::text not in ('accept', 'dismiss', 'write_off')
    returning case_id, decision_id, cardinality(break_ids)::bigint as break_count
)
select decision.case_id, decision.decision_id, decision.break_count, coalesce(case_breaks.changed, '') as changed_breaks
from decision
left join case_breaks on case_breaks.case_id = decision.case_id;
