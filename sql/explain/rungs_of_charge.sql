-- purpose: why no rung found an order for a charge when the ladder was climbed anew, as a person would say it.
-- parameters: charge_id (text)
-- grain:   one row per rung M1 to M6; none when the ladder did not look at the charge
with subject as (
    select
        match_charge.*,
        token_owner.user_id as token_user,
        (
            select min(match_candidate.order_id)
            from match_candidate
            where match_candidate.rung = 'M1'
                and match_candidate.charge_id = match_charge.charge_id
        ) as naming_order,
        (
            select min(match_order.order_id)
            from match_order
            where match_order.web_order_line_item_id = charges.web_order_line_item_id
                or match_order.original_transaction_id = charges.original_transaction_id
        ) as purchase_order,
        -- An order that the charge claims and another charge paid.
        (
            select match_second.order_id
            from match_second
            inner join match_candidate
                on match_candidate.order_id = match_second.order_id
                and match_candidate.charge_id = match_second.charge_id
                and match_candidate.refusal is null
                and match_candidate.rung in ('M1', 'M3', 'M5')
            where match_second.charge_id = match_charge.charge_id
            limit 1
        ) as paid_order,
        (
            select string_agg(distinct 'user ' || uploads.user_id, ', ')
            from in_uploads as uploads
            left join charge_aliases on charge_aliases.told_id = uploads.charge_id
            where coalesce(charge_aliases.charge_id, uploads.charge_id) = match_charge.charge_id
                and uploads.user_id <> ''
        ) as uploaders
    from match_charge
    inner join in_charges as charges on charges.charge_id = match_charge.charge_id
    left join match_token_owner as token_owner on token_owner.token = match_charge.token
    where match_charge.charge_id = :'charge_id'::text
)
select rung, false, reason
from subject
cross join lateral (
    values
        ('M1', case
            when naming_order is null then 'no order names its transaction'
            else 'order ' || naming_order || ' names its transaction and cannot have it'
        end),
        ('M2', case
            when token is null then 'the charge carries no token'
            when token_user is not null
                then 'the token belongs to user ' || token_user || ', who has no open order of that product before the purchase'
                    || ', or several'
            else 'no open order of that product carries the token before the purchase, or several do; and the token leads to no '
                || 'one user'
        end),
        ('M3', case
            when purchase_order is null then 'no order names its line item or original transaction'
            else 'order ' || purchase_order || ' names its line item or original transaction and cannot have it'
        end),
        ('M4', case
            when is_renewal then 'no order of the subscription''s owner was booked for the period'
            else 'the charge is not a renewal'
        end),
        ('M5', 'no order carries the hash of its evidence, and no upload names an order that can have it'),
        ('M6', case
            when is_renewal then 'a renewal is never guessed'
            when ownership <> 'PURCHASED' then 'family sharing is never guessed'
            when token is null and uploaders is null then 'nobody uploaded its evidence'
            when token_user is not null
                then 'no open order of user ' || token_user || ' fits in product, quantity and time'
            when paid_order is not null
                then 'it says that it pays order ' || paid_order || ' again, and no open order of '
                    || coalesce(uploaders, 'that user') || ' fits in product, quantity and time'
            else 'no open order of ' || coalesce(uploaders || ', or of who shares the device,', 'the token''s user')
                || ' fits in product, quantity and time'
        end)
) as said (rung, reason)
order by rung;
