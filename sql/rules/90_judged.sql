-- purpose: one row per rule and subject, with its stable id and its list entries. Allowed signals stay on record and are
--          shown to nobody. The id names a period as the ids of breaks do, because its line item may become known later.
-- grain:   one row per signal
create temp table rule_judged on commit drop as
with allow_listed as materialized (
    select rule_list.subject_id, rule_list.rule
    from rule_list
    where rule_list.list = 'allow'
        and rule_list.subject_kind = 'chain'
),
allow_listed_charge as materialized (
    select allow_listed.rule, charges.charge_id
    from allow_listed
    inner join charges on charges.original_transaction_id = allow_listed.subject_id
),
allow_listed_order as materialized (
    select allow_listed.rule, orders.order_id
    from allow_listed
    inner join orders on orders.original_transaction_id = allow_listed.subject_id
),
period as materialized (
    select names.charge_id, names.name
    from period_names(array(select distinct signal_found.subject_id from signal_found where signal_found.subject_kind = 'charge')) as names
),
-- Subscriptions of two apps may have one original transaction id.
found as (
    select
        rule, subject_kind, subject_id, bundle_id, currency, detail, inputs, score, amount_milliunits, happened_at,
        coalesce(user_id, case subject_kind when 'user' then subject_id end) as user_id,
        coalesce(order_id, case subject_kind when 'order' then subject_id end) as order_id,
        coalesce(signal_found.charge_id, case subject_kind when 'charge' then subject_id end) as charge_id,
        coalesce(device_id, case subject_kind when 'device' then subject_id end) as device_id,
        case subject_kind
            when 'chain' then bundle_id || '|' || subject_id
            when 'charge' then coalesce(period.name, subject_id)
            else subject_id
        end as subject_name
    from signal_found
    left join period on period.charge_id = signal_found.subject_id
)
select distinct on (found.rule, found.subject_kind, found.subject_name)
    signal_hash(found.rule, found.subject_kind, found.subject_name) as signal_id,
    case
        when rule_setting.state = 'live'
            and (
                exists (
                    select 1
                    from rule_list
                    where rule_list.list = 'allow'
                        and rule_list.rule in ('', found.rule)
                        and (rule_list.subject_kind, rule_list.subject_id) in (
                            ('user', found.user_id), ('order', found.order_id),
                            ('charge', found.charge_id), ('device', found.device_id),
                            (found.subject_kind, found.subject_id)
                        )
                )
                -- Any finding on a purchase or an order of the chain.
                or exists (
                    select 1
                    from allow_listed_charge
                    where allow_listed_charge.charge_id = found.charge_id
                        and allow_listed_charge.rule in ('', found.rule)
                )
                or exists (
                    select 1
                    from allow_listed_order
                    where allow_listed_order.order_id = found.order_id
                        and allow_listed_order.rule in ('', found.rule)
                )
            ) then 'allowed'
        else rule_setting.state
    end as state,
    rule_setting.parameters,
    found.rule, rule_setting.version, found.subject_kind, found.subject_id, found.bundle_id,
    found.user_id, found.order_id, found.charge_id, found.currency,
    found.detail, found.inputs, found.score,
    -- A signal stores 64 bits. A larger sum is capped; inputs and detail contain the exact sum.
    (case
        when found.amount_milliunits > 9223372036854775807 then 9223372036854775807
        else found.amount_milliunits
    end)::bigint as amount_milliunits,
    found.happened_at
from found
inner join rule_setting on rule_setting.rule = found.rule
order by
    found.rule, found.subject_kind, found.subject_name, found.score desc,
    found.happened_at, found.inputs;
