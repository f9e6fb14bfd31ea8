-- purpose: each rung on one order and one charge, as a person would say it: what was compared and what came out.
-- parameters: order_id, charge_id (text); window, ask_to_buy_window, skew, late (intervals), as in the ladder
-- grain:   one row per rung M1 to M6
-- note:    who else has the user or the token is found by the links that match runs write; before there are any, by
--          reading all orders.
with subject as (
    select orders.user_id, charges.app_account_token as token, charges.original_transaction_id, charges.type
    from orders
    inner join charges on charges.charge_id = :'charge_id'::text
    left join matches
        on matches.original_transaction_id = charges.original_transaction_id
        and matches.charge_id = charges.charge_id
    where orders.order_id = :'order_id'::text
        -- What these two decided needs no look at anybody else's orders.
        and not coalesce(matches.rung in ('M1', 'M2') and matches.order_id = orders.order_id, false)
),
wanted as (
    select 'user' as kind, subject.user_id as key from subject
    union
    select 'token', subject.token from subject where subject.token is not null
    union
    select 'token', charges.app_account_token
    from subject
    inner join charges on charges.original_transaction_id = subject.original_transaction_id
    where subject.type = 'auto_renewable'
        and charges.app_account_token is not null
),
linked as (
    select exists (
        select from match_state where match_state.name = 'match' and match_state.has_reach
    ) as is_linked
),
near_order as materialized (
    select orders.*
    from (
        select reach_keys.id
        from wanted
        inner join reach_keys
            on reach_keys.key = wanted.key
            and reach_keys.kind = wanted.kind
            and reach_keys.side = 'order'
        where (select is_linked from linked)
        union
        -- What came in since the last match run has no links yet.
        select unnest(changes.ids)
        from changes
        where changes.kind = 'order'
            and (select is_linked from linked)
    ) as reached
    inner join orders on orders.order_id = reached.id
    union all
    select orders.*
    from orders
    where not (select is_linked from linked)
        and (
            orders.user_id in (select wanted.key from wanted where wanted.kind = 'user')
            or orders.app_account_token in (select wanted.key from wanted where wanted.kind = 'token')
        )
),
-- What the order's user handed over, and on which device.
near_sighting as materialized (
    select sightings.user_id, sightings.device_id
    from (
        select reach_keys.id
        from wanted
        inner join reach_keys
            on reach_keys.key = wanted.key
            and reach_keys.kind = 'user'
            and reach_keys.side = 'evidence'
        where wanted.kind = 'user'
            and (select is_linked from linked)
        union
        select unnest(changes.ids)
        from changes
        where changes.kind = 'evidence'
            and (select is_linked from linked)
    ) as reached
    inner join sightings on sightings.sha256 = reached.id
    union all
    select sightings.user_id, sightings.device_id
    from sightings
    where not (select is_linked from linked)
        and sightings.user_id in (select wanted.key from wanted where wanted.kind = 'user')
),
pair as (
    select
        orders.order_id,
        orders.user_id,
        orders.status,
        orders.transaction_id,
        orders.original_transaction_id as order_original,
        orders.web_order_line_item_id as order_line,
        orders.evidence_sha256,
        orders.device_id,
        orders.app_account_token as own_token,
        coalesce(
            orders.app_account_token,
            (
                select user_tokens.app_account_token
                from user_tokens
                where user_tokens.app_account_token = charges.app_account_token
                    and user_tokens.user_id = orders.user_id
            ),
            users.app_account_token
        ) as order_token,
        orders.status not in ('created', 'cancelled') or orders.paid_at is not null
            or orders.delivered_at is not null as is_standing,
        orders.product_id as order_product,
        orders.bundle_id as order_bundle,
        orders.environment as order_environment,
        orders.quantity as order_quantity,
        orders.created_at,
        case
            when orders.status = 'created' then null
            else coalesce(least(orders.paid_at, orders.delivered_at), orders.created_at)
        end as settled_at,
        charges.*,
        (
            select owners.user_id from token_owners(array[charges.app_account_token]) as owners
        ) as token_user,
        (
            select count(*) from user_tokens where user_tokens.app_account_token = charges.app_account_token
        ) as holder_count,
        coalesce(matches.rung in ('M1', 'M2') and matches.order_id = orders.order_id, false) as is_plain,
        matches.rung as decided_rung,
        matches.order_id as holder,
        holding_order.user_id as holder_user
    from orders
    inner join charges on charges.charge_id = :'charge_id'::text
    left join users on users.user_id = orders.user_id
    left join matches
        on matches.original_transaction_id = charges.original_transaction_id
        and matches.charge_id = charges.charge_id
    left join orders as holding_order on holding_order.order_id = matches.order_id
    where orders.order_id = :'order_id'::text
),
chain as (
    select
        (
            select owners.user_id
            from chain_owners(array[pair.original_transaction_id]) as owners
            where owners.environment = pair.environment
                and owners.bundle_id = pair.bundle_id
        ) as chain_user,
        pair.purchased_at - least(:'window'::interval, (pair.expires_at - pair.purchased_at) / 2) as booking_from,
        least(
            (
                select min(charges.purchased_at
                    - least(:'window'::interval, (charges.expires_at - charges.purchased_at) / 2))
                from charges
                where charges.original_transaction_id = pair.original_transaction_id
                    and charges.environment = pair.environment
                    and charges.bundle_id = pair.bundle_id
                    and charges.type = 'auto_renewable'
                    and charges.purchased_at > pair.purchased_at
            ),
            pair.expires_at,
            'infinity'
        ) as booking_to
    from pair
    where pair.type = 'auto_renewable'
        and not pair.is_plain
),
-- Orders that no rung before this one has given a charge, or that the same rung did.
open_order as (
    select
        orders.*,
        coalesce(
            orders.app_account_token,
            (
                select user_tokens.app_account_token
                from user_tokens
                where user_tokens.app_account_token = pair.app_account_token
                    and user_tokens.user_id = orders.user_id
            )
        ) as token,
        orders.status not in ('created', 'cancelled') or orders.paid_at is not null
            or orders.delivered_at is not null as is_standing,
        matches.rung
    from pair
    inner join near_order as orders
        on orders.product_id = pair.order_product
        and orders.bundle_id = pair.order_bundle
        and orders.environment = pair.order_environment
        and orders.order_id <> pair.order_id
    left join claims on claims.order_id = orders.order_id
    left join matches
        on matches.original_transaction_id = claims.original_transaction_id
        and matches.charge_id = claims.charge_id
    where not pair.is_plain
        and (orders.user_id = pair.user_id or orders.app_account_token = pair.app_account_token)
),
rival as (
    select
        count(*) filter (
            where open_order.token = pair.app_account_token
                and coalesce(open_order.rung > 'M2', true)
                and open_order.is_standing >= pair.is_standing
                and open_order.created_at <= pair.purchased_at + :'skew'::interval
        ) as token_count,
        bool_or(
            open_order.user_id = pair.user_id
            and coalesce(open_order.rung = 'M6', true)
            and open_order.status <> 'cancelled'
            and open_order.quantity = pair.order_quantity
            and (
                pair.purchased_at between open_order.created_at - :'skew'::interval
                    and open_order.created_at + :'ask_to_buy_window'::interval
                or rival_charge.purchased_at between pair.created_at - :'skew'::interval
                    and pair.created_at + :'ask_to_buy_window'::interval
            )
        ) as has_contest
    from pair
    inner join open_order on true
    left join claims on claims.order_id = open_order.order_id
    left join charges as rival_charge
        on rival_charge.original_transaction_id = claims.original_transaction_id
        and rival_charge.charge_id = claims.charge_id
),
handed as (
    select distinct sightings.user_id, sightings.device_id, sightings.order_id
    from pair
    inner join transactions
        on transactions.original_transaction_id = pair.original_transaction_id
        and transactions.charge_id = pair.charge_id
    inner join sightings on sightings.sha256 = transactions.evidence_sha256
),
-- Another order that the charge claims and another charge paid.
paid_order as (
    select min(orders.order_id) as order_id
    from pair
    inner join second_charges
        on second_charges.original_transaction_id = pair.original_transaction_id
        and second_charges.charge_id = pair.charge_id
    inner join orders on orders.order_id = second_charges.order_id
    where orders.order_id <> pair.order_id
        and (
            orders.order_id in (select handed.order_id from handed)
            or orders.transaction_id = any(pair.transaction_ids)
            or orders.web_order_line_item_id = pair.web_order_line_item_id
            or orders.original_transaction_id = pair.original_transaction_id
            or orders.evidence_sha256 in (
                select transactions.evidence_sha256
                from transactions
                where transactions.original_transaction_id = pair.original_transaction_id
                    and transactions.charge_id = pair.charge_id
            )
        )
),
judged as (
    select
        pair.*,
        paid_order.order_id as paid_order_id,
        coalesce(pair.token_user, chain.chain_user) as owner,
        case when pair.token_user is null then 'the subscription belongs' else 'the token belongs' end
            || ' to user ' || coalesce(pair.token_user, chain.chain_user) as owner_text,
        chain.chain_user as chain_owner,
        coalesce(chain.chain_user, pair.token_user) as buyer,
        case when chain.chain_user is null then 'the token belongs' else 'the subscription belongs' end
            || ' to user ' || coalesce(chain.chain_user, pair.token_user) as buyer_text,
        chain.booking_from,
        chain.booking_to,
        case when pair.decided_rung = 'M2' and pair.holder = pair.order_id then 0 else rival.token_count end as rival_count,
        coalesce(rival.has_contest, false) as has_contest,
        round(abs(extract(epoch from pair.purchased_at - pair.created_at)))::bigint as distance,
        pair.purchased_at < pair.created_at as is_before,
        exists (select from handed where handed.order_id = pair.order_id) as is_named_by_upload,
        -- The text itself, or one in which it lies.
        exists (
            select
            from transactions
            left join evidence_links on evidence_links.sha256 = transactions.evidence_sha256
            left join evidence_links as outer_link on outer_link.sha256 = evidence_links.parent_sha256
            where transactions.original_transaction_id = pair.original_transaction_id
                and transactions.charge_id in (
                    select pair.charge_id
                    union
                    select charge_aliases.told_id
                    from charge_aliases
                    where charge_aliases.charge_id = pair.charge_id
                )
                and pair.evidence_sha256 in (
                    transactions.evidence_sha256, evidence_links.parent_sha256, outer_link.parent_sha256
                )
        ) as is_in_evidence,
        (
            select min(match_keys.id)
            from match_keys
            inner join charges on charges.charge_id = match_keys.id
            where match_keys.key = pair.transaction_id
                and match_keys.kind = 'transaction_id'
                and match_keys.side = 'charge'
                and match_keys.id <> pair.charge_id
        ) as named_period,
        exists (select from handed where handed.user_id = pair.user_id) as is_uploader,
        (select min(nullif(handed.user_id, '')) from handed) as first_uploader,
        not pair.is_plain and exists (
            select
            from handed
            where handed.device_id <> ''
                and (
                    handed.device_id = pair.device_id
                    or exists (
                        select
                        from near_order
                        where near_order.device_id = handed.device_id
                            and near_order.user_id = pair.user_id
                    )
                    or exists (
                        select
                        from near_sighting
                        where near_sighting.device_id = handed.device_id
                            and near_sighting.user_id = pair.user_id
                    )
                )
        ) as shares_device
    from pair
    cross join rival
    cross join paid_order
    left join chain on true
),
worded as (
    select
        judged.*,
        case
            when distance < 180 then distance || ' s'
            when distance < 10800 then distance / 60 || ' min'
            when distance < 172800 then distance / 3600 || ' h'
            else distance / 86400 || ' days'
        end as distance_text,
        case
            when bundle_id <> order_bundle then 'the purchase is of app ' || bundle_id
            when environment <> order_environment then 'the purchase is of environment ' || environment
            when owner <> user_id then owner_text
            when product_id <> order_product then 'the purchase is of product ' || product_id
            when purchased_at < created_at - :'late'::interval
                and not (is_renewal and coalesce(owner = user_id, false))
                then 'it was purchased ' || (distance / 86400) || ' days before the order was created'
            when holder <> order_id then 'order ' || holder || ' of user ' || holder_user || ' holds the charge'
        end as objection,
        case
            when bundle_id <> order_bundle then 'the purchase is of app ' || bundle_id
            when environment <> order_environment then 'the purchase is of environment ' || environment
            when product_id <> order_product then 'the purchase is of product ' || product_id
        end as difference
    from judged
),
said as (
    select
        'M1' as rung,
        transaction_id = any(transaction_ids) as is_reached,
        case
            when transaction_id is null then 'the order names no transaction'
            when transaction_id <> all(transaction_ids)
                then 'transaction ' || transaction_id || ', which the order names, is not of this charge'
            else 'the order names transaction ' || transaction_id
        end as reason,
        objection
    from worded
    union all
    select
        'M2',
        order_token = app_account_token
            and (token_user is null or token_user = user_id)
            and (own_token is not null or holder_count = 1)
            and coalesce(chain_owner = user_id, true)
            and difference is null
            and created_at <= purchased_at + :'skew'::interval
            and (not is_renewal or created_at >= purchased_at - :'window'::interval)
            and rival_count = 0,
        case
            when app_account_token is null then 'the charge carries no token'
            when token_user <> user_id then 'the token belongs to user ' || token_user
            when order_token is null then 'neither the order nor its user carries a token'
            when own_token is null and holder_count > 1 then 'the token belongs to ' || holder_count || ' users'
            when chain_owner <> user_id then 'the subscription belongs to user ' || chain_owner
            when order_token <> app_account_token
                then case when own_token is null then 'the user''s' else 'the order''s' end
                    || ' token is another than the charge''s'
            when difference is not null then difference
            when created_at > purchased_at + :'skew'::interval
                then 'the order was created ' || distance_text || ' after the purchase'
            when is_renewal and created_at < purchased_at - :'window'::interval
                then 'the order was created ' || distance_text || ' before the renewal'
            when rival_count > 0 then rival_count + 1 || ' open orders carry the charge''s token with that product'
            else case when own_token is null then 'the user''s' else 'the order''s' end
                || ' token is the charge''s, no other open order carries it, product and app agree, the order was created ' || distance_text
                || case when is_before then ' after' else ' before' end || ' the purchase'
        end,
        null
    from worded
    union all
    select
        'M3',
        order_line = web_order_line_item_id or (type <> 'auto_renewable' and order_original = original_transaction_id),
        case
            when order_line = web_order_line_item_id then 'the order names line item ' || order_line
            when type <> 'auto_renewable' and order_original = original_transaction_id
                then 'the order names original transaction ' || order_original
            when order_line is not null then 'line item ' || order_line || ', which the order names, is not of this charge'
            when order_original is null then 'the order names no line item and no original transaction'
            when order_original = original_transaction_id
                then 'the order names the subscription, which says nothing of the period'
            else 'original transaction ' || order_original || ', which the order names, is not of this charge'
        end,
        objection
    from worded
    union all
    select
        'M4',
        is_renewal
            and buyer = user_id
            and difference is null
            and status <> 'cancelled'
            and coalesce(order_original = original_transaction_id, true)
            and coalesce(order_line = web_order_line_item_id, true)
            and named_period is null
            and created_at >= booking_from
            and created_at < booking_to,
        case
            when not is_renewal then 'the charge is not a renewal'
            when buyer is null then 'nobody knows whose subscription it is'
            when buyer <> user_id then buyer_text
            when difference is not null then difference
            when status = 'cancelled' then 'the order is cancelled'
            when order_original <> original_transaction_id then 'the order names another subscription'
            when order_line <> web_order_line_item_id
                then 'the order names line item ' || order_line || ', which is not of this period'
            when named_period is not null
                then 'the order names transaction ' || transaction_id || ', which is of another purchase'
            when created_at < booking_from or created_at >= booking_to
                then 'the order was not created in the period''s booking time, ' || rfc3339(booking_from) || ' to '
                    || case when booking_to = 'infinity' then 'the next renewal' else rfc3339(booking_to) end
            else 'a renewal of a subscription of user ' || buyer || ', and the order was created in its booking time, '
                || rfc3339(booking_from) || ' to '
                || case when booking_to = 'infinity' then 'the next renewal' else rfc3339(booking_to) end
        end,
        null
    from worded
    union all
    select
        'M5',
        is_named_by_upload or is_in_evidence,
        case
            when is_in_evidence
                then 'the order carries the hash of evidence ' || worded.evidence_sha256
            when is_named_by_upload then 'the evidence was uploaded for the order'
            when worded.evidence_sha256 is null then 'the order carries no evidence hash, and no upload names the order'
            when evidence.sha256 is null then 'evidence ' || worded.evidence_sha256 || ' is not known'
            else 'evidence ' || worded.evidence_sha256 || ' is not of this charge'
        end,
        objection
    from worded
    left join judged_evidence as evidence on evidence.sha256 = worded.evidence_sha256
    union all
    select
        'M6',
        not is_renewal
            and ownership = 'PURCHASED'
            and status <> 'cancelled'
            and difference is null
            and order_quantity = quantity
            and coalesce(buyer = user_id, is_uploader or (shares_device and paid_order_id is null))
            and purchased_at >= created_at - :'skew'::interval
            and purchased_at <= created_at + case
                when settled_at is null or settled_at >= purchased_at - :'skew'::interval
                    then :'ask_to_buy_window'::interval
                else :'window'::interval
            end,
        case
            when is_renewal then 'a renewal is never guessed'
            when ownership <> 'PURCHASED' then 'family sharing is never guessed'
            when status = 'cancelled' then 'the order is cancelled'
            when difference is not null then difference
            when order_quantity <> quantity then 'the quantities are ' || order_quantity || ' and ' || quantity
            when buyer <> user_id then buyer_text
            when buyer is null and not is_uploader and paid_order_id is not null
                then 'the charge says that it pays order ' || paid_order_id || ' again'
            when buyer is null and not is_uploader and not shares_device
                then 'nothing leads from the charge to user ' || user_id
            when purchased_at < created_at - :'skew'::interval
                then 'the purchase was ' || distance_text || ' before the order'
            when purchased_at > created_at + case
                when settled_at is null or settled_at >= purchased_at - :'skew'::interval
                    then :'ask_to_buy_window'::interval
                else :'window'::interval
            end then 'the purchase was ' || distance_text || ' after the order'
            when holder = order_id and has_contest
                then 'of several orders and charges of user ' || user_id || ' that fit, this pair is in every assignment'
                    || ' of the least total time distance'
            when holder = order_id then 'user, product, quantity and time fit, and nothing else fits either of the two'
            else 'user, product, quantity and time fit'
        end,
        null
    from worded
)
select
    rung,
    coalesce(is_reached, false) and objection is null,
    reason || coalesce(', but ' || case when is_reached then objection end, '')
from said
order by rung;
