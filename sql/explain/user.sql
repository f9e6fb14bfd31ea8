-- purpose: a user, as phrases: attributes, newest orders with their charges, charges by the user's tokens without
--          such an order, open items, decisions on the user's case, and list entries.
-- parameters: id (text): user id; rows (bigint): limit of orders and of charges listed one by one; as_of (timestamptz): the
--             clock, null for the present
-- grain:   one row per line; is_detail: it belongs to the line before
with user_order as materialized (
    select orders.*, row_number() over (order by orders.created_at desc, orders.order_id) as place
    from orders
    where orders.user_id = :'id'::text
        and orders.order_id in (select fact.id from facts_of_key(:'id'::text, 'user') as fact where fact.side = 'order')
),
token as materialized (select user_tokens.app_account_token from user_tokens where user_tokens.user_id = :'id'::text),
matched as materialized (
    select user_order.order_id, matched_orders.charge_id, matched_orders.original_transaction_id
    from user_order
    inner join matched_orders on matched_orders.order_id = user_order.order_id
),
matched_rung as materialized (
    select matched.order_id, matches.rung
    from matched
    inner join matches using (original_transaction_id, charge_id)
),
refused_claim as materialized (
    select refused_claims.order_id, refused_claims.class
    from user_order
    inner join refused_claims on refused_claims.order_id = user_order.order_id
),
chain as materialized (
    select distinct fact.id as original_transaction_id
    from token
    cross join lateral facts_of_key(token.app_account_token, 'token') as fact
    where fact.side = 'chain'
),
token_charge as materialized (
    select charges.*
    from chain
    inner join charges on charges.original_transaction_id = chain.original_transaction_id
    inner join token on token.app_account_token = charges.app_account_token
),
other_match as materialized (
    select matches.charge_id, matches.order_id
    from token_charge
    inner join matches using (original_transaction_id, charge_id)
),
unmatched_charge as materialized (
    select token_charge.*, other_match.order_id as other_order,
        row_number() over (order by token_charge.purchased_at desc, token_charge.charge_id) as place
    from token_charge
    left join other_match on other_match.charge_id = token_charge.charge_id
    left join matched on matched.charge_id = token_charge.charge_id
    where matched.charge_id is null
),
-- An uploaded evidence item may have its own break.
upload_break as materialized (
    select distinct break_hash('order_claim', 'evidence:' || fact.id) as break_id
    from facts_of_key(:'id'::text, 'user') as fact
    where fact.side = 'evidence'
),
-- The newest event of every break on an order, a charge or evidence of the user.
newest_break as (
    select distinct on (user_break.break_id) user_break.*
    from (
        select break_events.*
        from (
            select user_order.order_id as id, 'order' as side from user_order
            union
            select matched.charge_id, 'charge' from matched
            union
            select unmatched_charge.charge_id, 'charge' from unmatched_charge
        ) as subject
        inner join break_events
            on (subject.side = 'order' and break_events.order_id = subject.id)
            or (subject.side = 'charge' and break_events.charge_id = subject.id)
        union
        select break_events.*
        from upload_break
        inner join break_events on break_events.break_id = upload_break.break_id
        where break_events.user_id = :'id'::text
    ) as user_break
    order by user_break.break_id, user_break.as_of desc, user_break.attempt desc
),
-- The present, or the newest clock of detect if that is later.
present as (
    select coalesce(:'as_of'::timestamptz, greatest(now(), (select max(detections.as_of) from detections))) as clock
),
decided as (
    select decided.break_id, decided.state
    from present
    cross join decided_breaks_of(present.clock, array(select newest_break.break_id from newest_break where newest_break.is_open)) as decided
    where decided.ended_at is null
),
newest_signal as (
    select distinct on (signal_events.signal_id) signal_events.*
    from signal_events
    where signal_events.user_id = :'id'::text
        or (signal_events.subject_kind = 'user' and signal_events.subject_id = :'id'::text)
    order by signal_events.signal_id, signal_events.as_of desc, signal_events.attempt desc
),
case_decision as (
    select decision.*
    from present
    cross join standing_decisions_at(present.clock) as decision
    where decision.case_id = case_id_of('user', :'id'::text)
),
line as (
    select 1 as section, 0::bigint as place,
        phrase('explain.user_is', jsonb_build_object('id', :'id'::text, 'facts', coalesce(
            (
                select jsonb_build_array(
                    phrase('explain.home_storefront', 'id', home_storefront), phrase(case when is_tester then 'word.tester' end),
                    phrase('explain.since', 'at', rfc3339(created_at)), phrase('explain.in_users_file')
                )
                from users
                where users.user_id = :'id'::text
            ), phrase('explain.no_users_file')
        ))) as text
    union all
    select 2, 0, phrase('explain.token', 'id', token.app_account_token) from token
    union all
    select 3, row_number() over (order by user_order.device_id collate "C"),
        phrase('explain.device_is', jsonb_build_object('id', user_order.device_id, 'facts',
            phrase(case when count(*) = 1 then 'explain.one_order' else 'explain.count_orders' end, 'count', count(*)::text)))
    from user_order
    where user_order.device_id is not null
    group by user_order.device_id
    union all
    select 4, 0, jsonb_build_array(
            phrase(case when count(*) = 1 then 'explain.one_order' else 'explain.count_orders' end, 'count', count(*)::text),
            case when count(*) > :'rows'::bigint then phrase('explain.newest', 'count', (:'rows'::bigint)::text) end
        )
    from user_order
    union all
    select 5, user_order.place,
        phrase('explain.at', jsonb_build_object('at', rfc3339(user_order.created_at), 'what', phrase('explain.order_is',
            jsonb_build_object('id', user_order.order_id, 'facts', jsonb_build_array(
                phrase('status.' || user_order.status), user_order.product_id,
                money_text(user_order.price_milliunits, user_order.currency), nullif(user_order.environment, 'Production'),
                coalesce(
                    phrase('explain.charge_by', 'id', matched.charge_id, 'rung', matched_rung.rung),
                    phrase('explain.refused_as', 'class', refused_claim.class), phrase('explain.no_charge')
                )
            ))
        )))
    from user_order
    left join matched on matched.order_id = user_order.order_id
    left join matched_rung on matched_rung.order_id = user_order.order_id
    left join refused_claim on refused_claim.order_id = user_order.order_id
    where user_order.place <= :'rows'::bigint
    union all
    select 6, 0,
        jsonb_build_array(
            phrase(case when count(*) = 1 then 'explain.charge_by_tokens' else 'explain.charges_by_tokens' end, 'count', count(*)::text),
            case when count(*) > :'rows'::bigint then phrase('explain.newest', 'count', (:'rows'::bigint)::text) end
        )
    from unmatched_charge
    having count(*) > 0
    union all
    select 7, unmatched_charge.place,
        phrase('explain.at', jsonb_build_object('at', rfc3339(unmatched_charge.purchased_at), 'what', phrase('explain.charge_is',
            jsonb_build_object('id', unmatched_charge.charge_id, 'facts', jsonb_build_array(
                phrase('status.' || unmatched_charge.state), unmatched_charge.product_id,
                money_text(unmatched_charge.price_milliunits, unmatched_charge.currency),
                coalesce(phrase('explain.has_order', 'id', unmatched_charge.other_order), phrase('explain.no_order'))
            ))
        )))
    from unmatched_charge
    where unmatched_charge.place <= :'rows'::bigint
    union all
    select 8, 0,
        phrase('explain.break_is', jsonb_build_object('id', newest_break.break_id, 'facts', jsonb_build_array(
            phrase('explain.with_reason', jsonb_build_object('what', newest_break.class, 'why', phrase('word.' || newest_break.severity))),
            phrase('status.' || decided.state),
            phrase('said.order', 'id', newest_break.order_id), phrase('said.charge', 'id', newest_break.charge_id),
            money_text(newest_break.amount_milliunits, newest_break.currency)
        )))
    from newest_break
    left join decided on decided.break_id = newest_break.break_id
    where newest_break.is_open
    union all
    select 9, 0, phrase('explain.user_case', 'id', case_id_of('user', :'id'::text))
    where exists (
        select 1 from newest_signal where newest_signal.state = 'live' union all select 1 from newest_break
        where newest_break.user_id = :'id'::text
        union all
        select 1 from case_decision
    )
    union all
    select 10, row_number() over (order by case_decision.at desc, case_decision.action), case_decision.words
    from case_decision
    union all
    select 11, 0, phrase('explain.on_list', jsonb_build_object(
            'list', phrase('word.' || list_entries.list), 'from', rfc3339(list_entries.valid_from),
            'until', rfc3339(coalesce(list_removals.removed_at, list_entries.valid_to)),
            'facts', jsonb_build_array(list_entries.reason, list_entries.owner)
        ))
    from list_entries
    left join list_removals on list_removals.entry_id = list_entries.entry_id
    where list_entries.subject_kind = 'user'
        and list_entries.subject_id = :'id'::text
        and list_removals.is_mistake is not true
        and list_entries.valid_from < coalesce(list_removals.removed_at, 'infinity')
        -- Entries on other lists have no effect after their removal.
        and (list_removals.entry_id is null or list_entries.list in ('tester', 'family'))
)
select line.text::text, line.section > 1 as is_detail
from line
order by line.section, line.place, line.text::text collate "C";
