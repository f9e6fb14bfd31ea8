-- purpose: rung M2: exactly one open order speaks for the charge's token with that product, not created after the purchase; an
--          order that was paid or delivered outranks carts; what is against the known owner of the chain is refused.
-- parameters: skew, window (intervals); a renewal's order must also be created within the window before it, and name no
--             other period: Apple repeats a subscription's token on every one; is_again (boolean): only subscriptions of
--             which a rung below told whose they are
-- grain:   one candidate per charge, and one refused candidate per order against the owner of the charge's chain
with excluded_order as materialized (
    -- A duplicate does not compete, nor does an order that was refused what it names. A token that was made for one order means that
    -- order all the same.
    select excluded.order_id
    from (
        select match_duplicate.order_id from match_duplicate
        union
        select match_refused_order.order_id from match_refused_order where match_refused_order.rung < 'M2'
    ) as excluded
    inner join match_order on match_order.order_id = excluded.order_id
    left join match_token_order
        on match_token_order.token = match_order.own_token
        and match_token_order.is_one_orders
    where match_token_order.token is null
),
open_order as (
    select match_order.*, match_order_token.token
    from match_order
    inner join match_order_token on match_order_token.order_id = match_order.order_id
    where not exists (select 1 from match_decided where match_decided.order_id = match_order.order_id)
        and not exists (select 1 from excluded_order where excluded_order.order_id = match_order.order_id)
),
open_charge as (
    select
        match_charge.*,
        given.charge_id is not null as is_given,
        match_charge.is_renewal
        or match_charge.chain_owner is not null
        or exists (
            select 1 from match_decision where match_decision.charge_id = match_charge.charge_id
        ) as is_particular
    from match_charge
    left join match_decided as given on given.charge_id = match_charge.charge_id
    where match_charge.token is not null
        -- What a family shares waits for the purchase that carries the same token.
        and (match_charge.ownership = 'PURCHASED' or not exists (
            select 1
            from match_charge as paid
            where paid.token = match_charge.token
                and paid.product_id = match_charge.product_id
                and paid.bundle_id = match_charge.bundle_id
                and paid.environment = match_charge.environment
                and paid.ownership = 'PURCHASED'
                and not exists (select 1 from match_decided where match_decided.charge_id = paid.charge_id)
        ))
        and case
            -- What this rung or one below gave somebody still tells whom the token cannot mean.
            when :'is_again'::boolean then match_charge.chain_told_by > 'M2' and coalesce(given.rung >= 'M2', true)
            else given.charge_id is null
        end
),
-- One order precedes a purchase when the first of its token and product does and the second does not: however many
-- orders share a token, nobody pairs them all.
placed_order as (
    select
        open_order.*,
        row_number() over line as place,
        lead(created_at) over line as next_created_at
    from open_order
    window line as (
        partition by token, product_id, bundle_id, environment, standing order by created_at, order_id
    )
),
preceding as (
    select
        open_charge.charge_id,
        open_charge.original_transaction_id,
        open_charge.purchased_at,
        placed_order.order_id,
        placed_order.created_at,
        coalesce(placed_order.next_created_at > open_charge.purchased_at + :'skew'::interval, true) as is_alone,
        row_number() over (partition by open_charge.charge_id order by placed_order.standing desc) as place
    from open_charge
    inner join placed_order
        on placed_order.token = open_charge.token
        and placed_order.product_id = open_charge.product_id
        and placed_order.bundle_id = open_charge.bundle_id
        and placed_order.environment = open_charge.environment
        and placed_order.place = 1
        and placed_order.created_at <= open_charge.purchased_at + :'skew'::interval
    where not open_charge.is_particular
),
-- Renewals, charges of owned chains and those on which people decided: what may not have them does not count.
particular as (
    select
        open_charge.charge_id,
        open_charge.original_transaction_id,
        open_charge.purchased_at,
        open_order.order_id,
        open_order.created_at,
        open_order.standing,
        open_charge.is_given,
        coalesce(open_charge.chain_owner <> open_order.user_id, false) as is_strangers
    from open_charge
    inner join open_order
        on open_order.token = open_charge.token
        and open_order.product_id = open_charge.product_id
        and open_order.bundle_id = open_charge.bundle_id
        and open_order.environment = open_charge.environment
        and precedes_purchase(
            open_order.created_at, open_charge.purchased_at, open_charge.is_renewal, :'skew'::interval, :'window'::interval
        )
    -- An old id that was named for a new product names no period of it.
    left join match_refused_order as old_claim
        on old_claim.order_id = open_order.order_id
        and old_claim.rung = 'M2'
    where open_charge.is_particular
        and (
            not open_charge.is_renewal
            or other_period(
                open_order.original_transaction_id, open_order.web_order_line_item_id,
                case when old_claim.order_id is null then open_order.period_transaction_id end,
                open_order.created_at, open_order.access_until, open_charge.original_transaction_id,
                exists (
                    select 1
                    from in_charges as charges
                    where charges.original_transaction_id = open_charge.original_transaction_id
                        and charges.charge_id = open_charge.charge_id
                        and charges.web_order_line_item_id = open_order.web_order_line_item_id
                ),
                exists (
                    select 1
                    from match_candidate
                    where match_candidate.rung = 'M1'
                        and match_candidate.order_id = open_order.order_id
                        and match_candidate.charge_id = open_charge.charge_id
                ),
                null, null
            ) is null
        )
        and not exists (
            select 1
            from match_decision
            where match_decision.action = 'unmatch'
                and match_decision.order_id = open_order.order_id
                and match_decision.charge_id = open_charge.charge_id
        )
),
ranked as (
    select
        particular.*,
        count(*) over (partition by charge_id, standing) as rival_count,
        max(standing) over (partition by charge_id) as best_standing
    from particular
    where not is_strangers
        and not is_given
),
fitting as (
    select order_id, charge_id, original_transaction_id, null as refusal, created_at, purchased_at
    from preceding
    where place = 1
        and is_alone
    union all
    select order_id, charge_id, original_transaction_id, null, created_at, purchased_at
    from ranked
    where standing = best_standing
        and rival_count = 1
    union all
    select order_id, charge_id, original_transaction_id, 'USER_DIFF', created_at, purchased_at
    from particular
    where is_strangers
)
insert into match_candidate (rung, order_id, charge_id, original_transaction_id, refusal, created_at, purchased_at)
select 'M2', order_id, charge_id, original_transaction_id, refusal, created_at, purchased_at
from fitting
where not exists (
    select 1
    from match_candidate
    where match_candidate.rung = 'M2'
        and match_candidate.charge_id = fitting.charge_id
        and match_candidate.order_id = fitting.order_id
);
