-- purpose: why no rung found an order for a charge when the ladder was climbed anew, as a person would say it.
-- parameters: charge_id (text); skew, window (intervals), as in the ladder
-- grain:   one row per rung M1 to M6 and each further one; none when the ladder did not look at the charge
-- note:    it reads what the rungs left in their work tables, and decides nothing.
with subject as (
    select
        match_charge.*,
        charges.web_order_line_item_id as line_item,
        coalesce(match_charge.chain_owner, match_charge.owner) as known_owner,
        token_owner.user_id as token_user,
        -- An order that the charge claims and another charge paid.
        (
            select match_second.order_id
            from match_second
            inner join match_candidate
                on match_candidate.order_id = match_second.order_id
                and match_candidate.charge_id = match_second.charge_id
                and match_candidate.refusal is null
                and match_candidate.rung in (select rungs.rung from rungs where rungs.is_claim)
            where match_second.charge_id = match_charge.charge_id
            limit 1
        ) as paid_order,
        handed.uploaders,
        handed.is_seen_on_device,
        handed.is_uploaded,
        exists (
            select 1
            from match_decision
            where match_decision.charge_id = match_charge.charge_id
                and match_decision.action = 'unmatch'
        ) as is_unmatched
    from match_charge
    inner join in_charges as charges on charges.charge_id = match_charge.charge_id
    left join match_token_owner as token_owner on token_owner.token = match_charge.token
    cross join (
        select
            string_agg(distinct 'user ' || nullif(uploads.user_id, ''), ', ') as uploaders,
            coalesce(bool_or(uploads.device_id <> ''), false) as is_seen_on_device,
            count(*) > 0 as is_uploaded
        from in_uploads as uploads
        left join charge_aliases on charge_aliases.told_id = uploads.charge_id
        where coalesce(charge_aliases.charge_id, uploads.charge_id) = :'charge_id'::text
    ) as handed
    where match_charge.charge_id = :'charge_id'::text
),
-- Orders that name the charge, and that two people called benign duplicates: these claim nothing.
benign as (
    select charge_key.kind, 'order ' || min(order_key.id) as name
    from in_match_keys as charge_key
    inner join in_match_keys as order_key
        on order_key.key = charge_key.key
        and order_key.kind = charge_key.kind
        and order_key.side = 'order'
    inner join match_decision
        on match_decision.order_id = order_key.id
        and match_decision.action = 'benign_duplicate'
    where charge_key.id = :'charge_id'::text
        and charge_key.side = 'charge'
    group by charge_key.kind
),
-- Orders that the charge may be of, by token or by subscription.
near as (
    select match_pair.*, coalesce(match_pair.user_id = match_pair.buyer, false) as is_by_owner
    from subject
    inner join match_pair
        on match_pair.charge_id = subject.charge_id
        and match_pair.order_product = match_pair.product_id
    where match_pair.is_by_token
        or match_pair.user_id in (subject.known_owner, subject.token_user)
),
-- What stands between an order and the charge on M2.
by_token as (
    select
        near.*,
        case
            when near.order_differs is not null then near.order_differs
            when near.created_at > near.purchased_at + :'skew'::interval then 'was created after the purchase'
            when near.is_renewal and near.created_at < near.purchased_at - :'window'::interval
                then 'was created too long before the renewal'
            when near.other_period is not null then 'names another period'
            when near.chain_owner <> near.user_id
                then 'cannot have it, as the subscription belongs to user ' || near.chain_owner
            when near.is_unmatched then 'does not belong to it, as two people decided'
            when near.given_rung <= 'M2' then 'has charge ' || near.given_charge || ' by ' || near.given_rung
            when near.is_duplicate then 'claims what another order holds'
            when near.refused_on < 'M2' then 'was refused the purchase that it names'
        end as barrier,
        abs(extract(epoch from near.purchased_at - near.created_at)) as exact_distance
    from subject
    cross join near
    where near.is_by_token
        -- Of a user's orders in other apps nobody asks what they carry.
        or (near.order_differs is not null and near.user_id = subject.token_user)
),
-- Among which orders M2 had to choose.
choice as (
    select count(*) as order_count, few_of(array_agg(other.order_id order by other.created_at, other.order_id)) as names
    from (
        select match_rival.order_id, match_rival.is_standing, bool_or(match_rival.is_standing) over () as has_standing
        from match_rival
        where match_rival.charge_id = :'charge_id'::text
            and not match_rival.is_strangers
    ) as rival
    inner join match_order as other on other.order_id = rival.order_id
    where rival.is_standing = rival.has_standing
),
nearest as (
    select 'order ' || by_token.order_id || ' ' || by_token.barrier as reason
    from by_token
    where by_token.barrier is not null
    order by by_token.exact_distance, by_token.order_id
    limit 1
),
-- The same of renewals on M4.
by_period as (
    select
        'order ' || near.order_id || ' was created in the period''s booking time, but ' || case
            when near.status = 'cancelled' then 'is cancelled'
            when near.other_period is not null then 'names another period'
            when near.is_unmatched then 'does not belong to it, as two people decided'
            when near.given_charge is not null then 'has charge ' || near.given_charge || ' by ' || near.given_rung
            when near.is_duplicate then 'claims what another order holds'
            else 'the rung passed it by'
        end as reason
    from near
    where near.is_by_owner
        and near.order_differs is null
        and near.created_at >= near.booking_from
        and near.created_at < near.booking_to
    order by near.created_at, near.order_id
    limit 1
),
-- Orders that name the charge and did not get it, the first of each rung.
claim as (
    select match_candidate.rung, min(match_candidate.order_id) as order_id
    from match_candidate
    where match_candidate.charge_id = :'charge_id'::text
    group by match_candidate.rung
),
claimed as (
    select
        claim.rung,
        'order ' || claim.order_id as name,
        match_order.web_order_line_item_id = subject.line_item as is_by_line,
        match_evidence.sha256 as named_evidence
    from subject
    cross join claim
    inner join match_order on match_order.order_id = claim.order_id
    left join match_evidence
        on match_evidence.order_id = claim.order_id
        and match_evidence.charge_id = subject.charge_id
)
select rung, false, reason
from subject
cross join lateral (
    values
        ('M1', coalesce(
            (select claimed.name || ' names its transaction and cannot have it' from claimed where claimed.rung = 'M1'),
            (
                select benign.name || ' names its transaction, and two people called it a benign duplicate'
                from benign
                where benign.kind = 'transaction_id'
            ),
            'no order names its transaction'
        )),
        ('M2', case
            when token is null then 'the charge carries no token'
            else coalesce('the token belongs to user ' || token_user, 'the token leads to no one user') || coalesce(
                (
                    select case
                            when choice.order_count = 1 then ', and the rung passed it by: '
                            else ', and several open orders of that product from before the purchase carry it: '
                        end || choice.names
                    from choice
                    where choice.order_count > 0
                ),
                (select ', and ' || nearest.reason from nearest),
                case
                    when token_user is null or exists (select 1 from near where near.user_id = subject.token_user)
                        then ', and no open order of that product carries it'
                    else ', who has no open order of that product'
                end
            )
        end),
        ('M3', coalesce(
            (
                select claimed.name || ' names its '
                    || case when claimed.is_by_line then 'line item' else 'original transaction' end
                    || ' and cannot have it'
                from claimed
                where claimed.rung = 'M3'
            ),
            case
                when type = 'auto_renewable'
                    then (
                        select
                            'order ' || min(match_order.order_id)
                            || ' names the subscription, which says nothing of the period'
                        from match_order
                        where match_order.original_transaction_id = subject.original_transaction_id
                        having count(*) > 0
                    )
            end,
            (
                select min(benign.name)
                    || ' names its line item or original transaction, and two people called it a benign duplicate'
                from benign
                where benign.kind in ('line_item', 'original')
                having count(*) > 0
            ),
            'no order names its line item or original transaction'
        )),
        ('M4', case
            when not is_renewal then 'the charge is not a renewal'
            when known_owner is null then 'nobody knows whose subscription it is'
            else coalesce(
                (select by_period.reason from by_period),
                'no order of user ' || known_owner || ', whose subscription it is, was created in the period''s booking'
                    || ' time, ' || rfc3339(booking_from) || ' to '
                    || case when booking_to = 'infinity' then 'the next renewal' else rfc3339(booking_to) end
            )
        end),
        ('M5', coalesce(
            (
                select case
                        when claimed.named_evidence is null
                            then 'its evidence was uploaded for ' || claimed.name || ', which cannot have it'
                        else claimed.name || ' carries the hash of its evidence and cannot have it'
                    end
                from claimed
                where claimed.rung = 'M5'
            ),
            (
                select 'the evidence of order ' || min(match_evidence.order_id)
                    || ' lists it beside others, and the order does not claim it'
                from match_evidence
                inner join match_order on match_order.order_id = match_evidence.order_id
                where match_evidence.charge_id = subject.charge_id
                having count(*) > 0
            ),
            (
                select 'its evidence is that of order ' || min(match_evidence.order_id)
                    || ', and two people called it a benign duplicate'
                from match_evidence
                inner join match_decision
                    on match_decision.order_id = match_evidence.order_id
                    and match_decision.action = 'benign_duplicate'
                where match_evidence.charge_id = subject.charge_id
                having count(*) > 0
            ),
            'no order carries the hash of its evidence, and no upload names an order that can have it'
        )),
        ('M6', case
            when is_renewal then 'a renewal is never guessed'
            when ownership <> 'PURCHASED' then 'family sharing is never guessed'
            when known_owner is null and uploaders is null and not is_seen_on_device
                then case when token is null then '' else 'the token leads to no one user, and ' end
                    || case
                        when is_uploaded then 'no upload of its evidence names a user or a device'
                        else 'nobody uploaded its evidence'
                    end
            when known_owner is null and paid_order is not null
                then 'it says that it pays order ' || paid_order || ' again, and no open order of '
                    || coalesce(uploaders, 'that user') || ' fits in product, quantity and time'
            else case when is_unmatched then 'no other open order of ' else 'no open order of ' end
                || coalesce(
                    'user ' || known_owner, uploaders || ', or of who shares the device,', 'a user seen on its device'
                )
                || ' fits in product, quantity and time'
        end)
) as said (rung, reason)
union all
select
    rungs.rung, false,
    case
        when rungs.rung in (select candidate.rung from match_candidate as candidate where candidate.charge_id = :'charge_id'::text)
            then 'what it found is refused, or another order or charge went before'
        else 'for no order it holds that ' || rungs.says
    end
from subject
inner join rungs on rungs.rung > 'M7'
order by rung;
