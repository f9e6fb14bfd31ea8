-- purpose: why no rung found an order for a charge when the ladder was climbed anew, as a person would say it.
-- parameters: charge_id (text)
-- grain:   one row per rung M1 to M6; none when the ladder did not look at the charge
-- note:    it reads what the rungs left in their work tables, and decides nothing.
with subject as (
    select
        match_charge.*,
        charges.web_order_line_item_id as line_item,
        coalesce(match_charge.chain_owner, match_charge.owner) as known_owner,
        token_owner.user_id as token_user
    from match_charge
    inner join in_charges as charges on charges.charge_id = match_charge.charge_id
    left join match_token_owner as token_owner on token_owner.token = match_charge.token
    where match_charge.charge_id = :'charge_id'::text
),
-- What orders say of the charge, those first that claim it and cannot have it.
named as (
    select
        match_candidate.rung,
        1 as place,
        match_order.order_id,
        case match_candidate.rung
            when 'M1' then format('order %s names its transaction and cannot have it', match_order.order_id)
            when 'M3' then format(
                'order %s names its %s and cannot have it', match_order.order_id,
                case when match_order.web_order_line_item_id = subject.line_item then 'line item' else 'original transaction' end
            )
            when 'M5' then format(
                case
                    when match_candidate.evidence_sha256 is null then 'its evidence was uploaded for order %s, which cannot have it'
                    else 'order %s carries the hash of its evidence and cannot have it'
                end, match_order.order_id
            )
        end as text
    from subject
    inner join match_candidate on match_candidate.charge_id = subject.charge_id
    inner join match_order on match_order.order_id = match_candidate.order_id
    union all
    select
        'M3', 2, match_order.order_id,
        format('order %s names the subscription, which says nothing of the period', match_order.order_id)
    from subject
    inner join match_order on match_order.original_transaction_id = subject.original_transaction_id
    where subject.type = 'auto_renewable'
    union all
    select
        'M5', 2, match_order.order_id,
        format('the evidence of order %s lists it beside others, and the order does not claim it', match_order.order_id)
    from match_evidence
    inner join match_order on match_order.order_id = match_evidence.order_id
    where match_evidence.charge_id = :'charge_id'::text
    union all
    select benign.rung, 3, benign.order_id, format(benign.text, benign.order_id)
    from (
        select orders.order_id, named.rung, named.text
        from match_decision
        inner join in_orders as orders on orders.order_id = match_decision.order_id
        cross join in_charges as charges
        cross join lateral (
            values
                (
                    'M1', 'order %s names its transaction, and two people called it a benign duplicate',
                    orders.transaction_id = any(charges.transaction_ids)
                ),
                (
                    'M3', 'order %s names its line item or original transaction, and two people called it a benign duplicate',
                    orders.web_order_line_item_id = charges.web_order_line_item_id
                    or (charges.type <> 'auto_renewable' and orders.original_transaction_id = charges.original_transaction_id)
                )
        ) as named (rung, text, is_naming)
        where charges.charge_id = :'charge_id'::text
            and named.is_naming
        union all
        select match_evidence.order_id, 'M5', 'its evidence is that of order %s, and two people called it a benign duplicate'
        from match_evidence
        where match_evidence.charge_id = :'charge_id'::text
    ) as benign
    inner join match_decision
        on match_decision.order_id = benign.order_id
        and match_decision.action = 'benign_duplicate'
    union all
    values
        ('M1', 4, '', 'no order names its transaction'), ('M3', 4, '', 'no order names its line item or original transaction'),
        ('M5', 4, '', 'no order carries the hash of its evidence, and no upload names an order that can have it')
),
-- Among which orders M2 had to choose.
choice as (
    select count(*) as order_count, few_of(array_agg(other.order_id order by other.created_at, other.order_id)) as names
    from (
        select match_rival.order_id, match_rival.standing, max(match_rival.standing) over () as best_standing
        from match_rival
        where match_rival.charge_id = :'charge_id'::text
            and not match_rival.is_strangers
    ) as rival
    inner join match_order as other on other.order_id = rival.order_id
    where rival.standing = rival.best_standing
),
-- What stands between orders and the charge, by the rung that would have had to take it.
barrier as (
    select
        match_barrier.*,
        row_number() over (
            partition by match_barrier.rung
            order by
                case match_barrier.rung
                    when 'M2' then match_barrier.distance
                    else extract(epoch from match_barrier.created_at)
                end, match_barrier.order_id, match_barrier.charge_place
        ) as place
    from match_barrier
    where match_barrier.charge_id = :'charge_id'::text
        and match_barrier.charge_place is not null
),
handed as (
    select
        string_agg(distinct 'user ' || nullif(uploads.user_id, ''), ', ') as uploaders,
        coalesce(bool_or(uploads.device_id <> ''), false) as is_seen_on_device,
        count(*) > 0 as is_uploaded
    from in_uploads as uploads
    left join charge_aliases on charge_aliases.told_id = uploads.charge_id
    where coalesce(charge_aliases.charge_id, uploads.charge_id) = :'charge_id'::text
),
-- An order that the charge claims and another charge paid.
paid as (
    select min(match_second.order_id) as order_id
    from match_second
    inner join match_candidate
        on match_candidate.order_id = match_second.order_id
        and match_candidate.charge_id = match_second.charge_id
        and match_candidate.refusal is null
        and match_candidate.rung in (select rungs.rung from rungs where rungs.is_claim)
    where match_second.charge_id = :'charge_id'::text
)
select told.rung, false, told.reason
from (
    (
        select distinct on (named.rung) named.rung, named.text as reason
        from subject
        cross join named
        where named.text is not null
        order by named.rung, named.place, named.order_id
    )
    union all
    select said.rung, said.reason
    from subject
    cross join choice
    cross join handed
    cross join paid
    cross join lateral (
        values
            ('M2', case
                when token is null then 'the charge carries no token'
                else coalesce('the token belongs to user ' || token_user, 'the token leads to no one user') || coalesce(
                    case
                        when choice.order_count = 1 then ', and the rung passed it by: '
                        when choice.order_count > 1 then ', and several open orders of that product from before the purchase carry it: '
                    end || choice.names,
                    (
                        select format(', and order %s %s', barrier.order_id, barrier.of_charge)
                        from barrier
                        where barrier.rung = 'M2'
                            and barrier.place = 1
                    ),
                    case
                        when token_user is null or exists (
                            select 1
                            from match_order
                            where match_order.user_id = subject.token_user
                                and match_order.product_id = subject.product_id
                        ) then ', and no open order of that product carries it'
                        else ', who has no open order of that product'
                    end
                )
            end),
            ('M4', case
                when not is_renewal then 'the charge is not a renewal'
                when known_owner is null then 'nobody knows whose subscription it is'
                else coalesce(
                    (
                        select format('order %s was created in the period''s booking time, but %s', barrier.order_id, barrier.of_charge)
                        from barrier
                        where barrier.rung = 'M4'
                            and barrier.place = 1
                    ),
                    format(
                        'no order of user %s, whose subscription it is, was created in the period''s booking time, %s to %s',
                        known_owner, rfc3339(booking_from),
                        case when booking_to = 'infinity' then 'the next renewal' else rfc3339(booking_to) end
                    )
                )
            end),
            ('M6', case
                when is_renewal then 'a renewal is never guessed'
                when ownership <> 'PURCHASED' then 'family sharing is never guessed'
                when known_owner is null and uploaders is null and not is_seen_on_device
                    then case when token is null then '' else 'the token leads to no one user, and ' end
                        || case
                            when is_uploaded then 'no upload of its evidence names a user or a device'
                            else 'nobody uploaded its evidence'
                        end
                when known_owner is null and paid.order_id is not null then format(
                    'it says that it pays order %s again, and no open order of %s fits in product, quantity and time',
                    paid.order_id, coalesce(uploaders, 'that user')
                )
                else format(
                    case
                        when exists (
                            select 1
                            from match_decision
                            where match_decision.charge_id = subject.charge_id
                                and match_decision.action = 'unmatch'
                        ) then 'no other open order of %s fits in product, quantity and time'
                        else 'no open order of %s fits in product, quantity and time'
                    end,
                    coalesce('user ' || known_owner, uploaders || ', or of who shares the device,', 'a user seen on its device')
                )
            end)
    ) as said (rung, reason)
) as told
order by told.rung;
