-- purpose: Apple's open requests for consumption information, with the facts of their answers: the matched order, its user's
--          consent, and the answer that was decided already.
-- parameters: as_of, since (timestamptz): earliest request; answer_within (interval): Apple's time for an answer; is_sending
--             (boolean): answers and ends that were recorded at later clocks count, so that no clock sends an answer again
-- grain:   one row per transaction with a request that nobody answered, the latest one
with request as materialized (
    select distinct on (asked.bundle_id, asked.environment, asked.transaction_id) asked.*
    from consumption_requests_at(:'as_of'::timestamptz, :'since'::timestamptz, null) as asked
    where asked.closed_at is null
        and asked.environment in ('Production', 'Sandbox')
        and not (
            :'is_sending'::boolean and exists (
                select 1
                from consumption_answers as answers
                where answers.transaction_id = asked.transaction_id
                    and answers.bundle_id = asked.bundle_id
                    and answers.environment = asked.environment
                    and answers.answered_at >= asked.requested_at
            )
        )
    order by asked.bundle_id asc, asked.environment asc, asked.transaction_id asc, asked.requested_at desc, asked.charge_id asc
),
charged as materialized (
    select
        request.*, charges.product_id, charges.state, matches.order_id,
        -- A charge whose type no transaction states is treated as a consumable elsewhere.
        case
            when charges.type = 'auto_renewable' or exists (
                select 1
                from transactions
                where transactions.original_transaction_id = charges.original_transaction_id
                    and transactions.bundle_id = charges.bundle_id
                    and transactions.environment = charges.environment
                    and transactions.transaction_id = any(charges.transaction_ids)
                    and transactions.type is not null
            ) then charges.type
        end as type
    from request
    inner join charges using (original_transaction_id, charge_id)
    left join matches using (original_transaction_id, charge_id)
),
holder as materialized (
    select distinct
        orders.order_id, orders.user_id, orders.status, orders.delivered_at, orders.consumption_consent, orders.consumption_millipercent
    from charged
    inner join orders on orders.order_id = charged.order_id
),
person as materialized (
    select distinct users.user_id, users.consumption_consent, users.erased_at
    from holder
    inner join users on users.user_id = holder.user_id
)
select
    charged.bundle_id,
    charged.environment,
    charged.transaction_id,
    charged.charge_id,
    charged.product_id,
    charged.type,
    charged.state,
    charged.reason as request_reason,
    rfc3339(charged.requested_at) as requested_at,
    rfc3339(charged.requested_at + :'answer_within'::interval) as due_at,
    holder.order_id,
    holder.status as order_status,
    holder.delivered_at is not null as has_delivery,
    holder.consumption_consent as order_consent,
    person.consumption_consent as user_consent,
    person.erased_at is not null or holder.user_id in (select erased_users.pseudonym from erased_users) as is_erased,
    holder.consumption_millipercent,
    consumption_intents.body,
    consumption_outcomes.outcome,
    consumption_outcomes.reason as outcome_reason
from charged
left join holder on holder.order_id = charged.order_id
left join person on person.user_id = holder.user_id
left join consumption_intents
    on consumption_intents.transaction_id = charged.transaction_id
    and consumption_intents.bundle_id = charged.bundle_id
    and consumption_intents.environment = charged.environment
    and consumption_intents.requested_at = charged.requested_at
    and (:'is_sending'::boolean or consumption_intents.decided_at <= :'as_of'::timestamptz)
left join consumption_outcomes
    on consumption_outcomes.transaction_id = charged.transaction_id
    and consumption_outcomes.bundle_id = charged.bundle_id
    and consumption_outcomes.environment = charged.environment
    and consumption_outcomes.requested_at = charged.requested_at
    and (:'is_sending'::boolean or consumption_outcomes.ended_at <= :'as_of'::timestamptz)
order by charged.requested_at, charged.bundle_id, charged.environment, charged.transaction_id;
