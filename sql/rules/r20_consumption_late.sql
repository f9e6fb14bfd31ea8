-- purpose: R20 consumption late: an Apple consumption request without an answer in time, or with little time left.
-- traps:   nothing may be sent if the order or its user refuses consent, or about an erased user; a recorded refusal counts
--          as an answer. After Apple's decision an answer has no effect. Apple may repeat a request; the latest one counts,
--          with its deadline. The answers from before an app's start date were never read.
-- parameters: as_of (timestamptz), answer_within, warn_before, window (interval); bundles, starts (text[]): apps and their
--             start dates, parallel arrays
-- grain:   one signal per charge with a request
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, user_id, order_id, currency, amount_milliunits, score, happened_at, detail,
    inputs
)
with request as materialized (
    select *
    from consumption_requests_at(:'as_of'::timestamptz, :'as_of'::timestamptz - :'window'::interval, null)
),
late as materialized (
    select
        charge_id, original_transaction_id, request.bundle_id, count(distinct requested_at) as request_count,
        max(requested_at) as requested_at, max(requested_at) + :'answer_within'::interval as due_at,
        min(requested_at) + :'answer_within'::interval - :'warn_before'::interval as late_from,
        (array_agg(transaction_id order by requested_at desc, transaction_id desc))[1] as transaction_id
    from request
    left join unnest(:'bundles'::text[], :'starts'::text[]) as app (bundle_id, starts_at) on app.bundle_id = request.bundle_id
    where environment = 'Production'
        and closed_at is null
        and requested_at >= coalesce(app.starts_at::timestamptz, '-infinity')
    group by charge_id, original_transaction_id, request.bundle_id
    having min(requested_at) + :'answer_within'::interval - :'warn_before'::interval <= :'as_of'::timestamptz
),
charged as materialized (
    select late.*, charges.currency, charges.price_milliunits, matches.order_id
    from late
    inner join charges using (original_transaction_id, charge_id)
    left join matches using (original_transaction_id, charge_id)
),
holder as materialized (
    select distinct orders.order_id, orders.user_id, orders.consumption_consent
    from charged
    inner join orders on orders.order_id = charged.order_id
),
refusing as materialized (
    select users.user_id
    from holder
    inner join users on users.user_id = holder.user_id
    where not users.consumption_consent
        or users.erased_at is not null
    union
    select holder.user_id
    from holder
    inner join erased_users on erased_users.pseudonym = holder.user_id
)
select
    'R20',
    'charge',
    charged.charge_id,
    charged.bundle_id,
    holder.user_id,
    charged.order_id,
    charged.currency,
    charged.price_milliunits,
    charged.request_count,
    charged.late_from,
    phrase(
        case
            when charged.due_at <= :'as_of'::timestamptz then 'detail.no_answer'
            when charged.request_count > 1 then 'detail.asked_again'
            else 'detail.answer_due'
        end,
        'asked', rfc3339(charged.requested_at), 'by', rfc3339(charged.due_at)
    ),
    json_build_object(
        'transaction_id', charged.transaction_id, 'requested_at', rfc3339(charged.requested_at), 'due_at', rfc3339(charged.due_at)
    )::text
from charged
left join holder on holder.order_id = charged.order_id
where coalesce(holder.consumption_consent, true)
    and not exists (select 1 from refusing where refusing.user_id = holder.user_id);
