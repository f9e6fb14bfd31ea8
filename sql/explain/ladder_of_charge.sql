-- purpose: why no rung found an order for a charge, as a person would say it.
-- parameters: charge_id (text)
-- grain:   one row per rung M1 to M6
with subject as (
    select charges.* from charges where charges.charge_id = :'charge_id'::text
),
handed as (
    select sightings.user_id, sightings.device_id, sightings.order_id
    from subject
    inner join transactions
        on transactions.original_transaction_id = subject.original_transaction_id
        and transactions.charge_id = subject.charge_id
    inner join sightings on sightings.sha256 = transactions.evidence_sha256
),
reach as (
    select
        subject.*,
        (
            select min(match_keys.id)
            from match_keys
            where match_keys.key = any(subject.transaction_ids)
                and match_keys.kind = 'transaction_id'
                and match_keys.side = 'order'
        ) as naming_order,
        (
            select min(match_keys.id)
            from match_keys
            where match_keys.key in (subject.web_order_line_item_id, subject.original_transaction_id)
                and match_keys.kind in ('line_item', 'original')
                and match_keys.side = 'order'
        ) as purchase_order,
        (select owners.user_id from token_owners(array[subject.app_account_token]) as owners) as token_user,
        -- An order that the charge claims and another charge paid.
        (
            select min(orders.order_id)
            from second_charges
            inner join orders on orders.order_id = second_charges.order_id
            where second_charges.original_transaction_id = subject.original_transaction_id
                and second_charges.charge_id = subject.charge_id
                and (
                    orders.order_id in (select handed.order_id from handed)
                    or orders.transaction_id = any(subject.transaction_ids)
                    or orders.web_order_line_item_id = subject.web_order_line_item_id
                    or orders.original_transaction_id = subject.original_transaction_id
                    or orders.evidence_sha256 in (
                        select transactions.evidence_sha256
                        from transactions
                        where transactions.original_transaction_id = subject.original_transaction_id
                            and transactions.charge_id = subject.charge_id
                    )
                )
        ) as paid_order,
        (
            select string_agg(distinct 'user ' || handed.user_id, ', ')
            from handed
            where handed.user_id <> ''
        ) as uploaders
    from subject
)
select rung, false, reason
from reach
cross join lateral (
    values
        ('M1', case
            when naming_order is null then 'no order names its transaction'
            else 'order ' || naming_order || ' names its transaction and cannot have it'
        end),
        ('M2', case
            when app_account_token is null then 'the charge carries no token'
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
            when app_account_token is null and uploaders is null then 'nobody uploaded its evidence'
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
