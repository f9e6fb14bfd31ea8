-- purpose: why no rung found a charge for an order when the ladder was climbed anew, as a person would say it.
-- parameters: order_id (text)
-- grain:   one row per rung M1 to M6; none when the ladder did not look at the order
-- note:    it reads what the rungs left in their work tables, and decides nothing.
with subject as (
    select
        match_order.*,
        token_owner.user_id as token_user,
        case when match_order.own_token is null then 'the user''s' else 'the order''s' end as whose_token,
        (select max(match_hash.verdict) from match_hash where match_hash.order_id = match_order.order_id) as verdict
    from match_order
    left join match_token_owner as token_owner on token_owner.token = match_order.own_token
    where match_order.order_id = :'order_id'::text
),
-- Whether two people decided that what the order claims on a rung does not belong to it.
claim as (
    select match_candidate.rung, bool_or(match_candidate.refusal is not distinct from 'UNMATCHED') as is_unmatched
    from match_candidate
    where match_candidate.order_id = :'order_id'::text
    group by match_candidate.rung
),
-- The user's tokens, and those among them that speak for one user.
held as (
    select count(*) as token_count, count(match_token_owner.token) as speaking_count
    from subject
    inner join in_user_tokens as user_tokens on user_tokens.user_id = subject.user_id
    left join match_token_owner on match_token_owner.token = user_tokens.app_account_token
),
barrier as (
    select match_barrier.*, min(match_barrier.order_place) over (partition by match_barrier.rung, match_barrier.charge_id) as first_place
    from match_barrier
    where match_barrier.order_id = :'order_id'::text
        and match_barrier.order_place is not null
)
select said.rung, false, said.reason
from subject
cross join held
left join claim as m1 on m1.rung = 'M1'
left join claim as m3 on m3.rung = 'M3'
left join claim as m5 on m5.rung = 'M5'
cross join lateral (
    values
        ('M1', case
            when transaction_id is null then 'the order names no transaction'
            when m1.is_unmatched
                then format('two people decided that the charge of transaction %s does not belong to the order', transaction_id)
            when transaction_id is distinct from period_transaction_id
                then format(
                    'the order names transaction %s, the first of a subscription, and was created for a later period',
                    transaction_id
                )
            when m1.rung is not null then format('the charge of transaction %s is not the order''s', transaction_id)
            else 'no genuine evidence tells of transaction ' || transaction_id
        end),
        ('M2', case
            when own_token is null and held.token_count = 0 then 'neither the order nor its user carries a token'
            when token_user <> user_id then 'the order''s token belongs to user ' || token_user
            when own_token is null and held.speaking_count = 0
                then 'other users held the user''s token, too, so that it speaks for none of them'
            else coalesce(
                -- The charge that came nearest to the order: of each the first thing that stands between, of these the farthest.
                (
                    select format('charge %s carries %s token with that product, but %s', barrier.charge_id, whose_token, barrier.of_order)
                    from barrier
                    where barrier.rung = 'M2'
                    order by barrier.first_place desc, round(barrier.distance), barrier.charge_id, barrier.order_place
                    limit 1
                ),
                format('no charge carries %s token with that product', whose_token)
            )
        end),
        ('M3', case
            when web_order_line_item_id is null and original_transaction_id is null
                then 'the order names no line item and no original transaction'
            when m3.is_unmatched then 'two people decided that what the order names does not belong to it'
            when m3.rung is not null then 'what the order names is not the order''s'
            when web_order_line_item_id is not null then 'no genuine evidence tells of line item ' || web_order_line_item_id
            when exists (
                select 1 from in_charges as charges where charges.original_transaction_id = subject.original_transaction_id
            ) then 'the order names the subscription, which says nothing of the period'
            else 'no genuine evidence tells of original transaction ' || original_transaction_id
        end),
        ('M4', coalesce(
            (
                select barrier.of_order
                from barrier
                where barrier.rung = 'M4'
                order by barrier.charge_id, barrier.order_place
                limit 1
            ),
            format('no renewal of that product was to be booked for user %s when the order was created', user_id)
        )),
        ('M5', case
            when m5.is_unmatched then 'two people decided that the charge of the evidence does not belong to the order'
            when evidence_sha256 is null
                and exists (select 1 from in_uploads as uploads where uploads.order_id = subject.order_id)
                then 'what was uploaded for the order tells of no charge that is the order''s'
            when evidence_sha256 is null then 'the order carries no evidence hash, and no upload names the order'
            when verdict is null then format('evidence %s is not known', encode(evidence_sha256, 'hex'))
            when verdict <> 'genuine' then format('evidence %s is %s', encode(evidence_sha256, 'hex'), verdict)
            else format('evidence %s tells of no charge that is the order''s', encode(evidence_sha256, 'hex'))
        end),
        ('M6', case
            when status = 'cancelled' then 'the order is cancelled'
            when exists (select 1 from match_duplicate where match_duplicate.order_id = subject.order_id)
                then 'another order holds what the order claims'
            when exists (select 1 from match_refused_order where match_refused_order.order_id = subject.order_id)
                then 'the order was refused the purchase that it claims'
            else format(
                case
                    when exists (
                        select 1
                        from match_decision
                        where match_decision.order_id = subject.order_id
                            and match_decision.action = 'unmatch'
                    ) then 'no other open charge of user %s fits in product, quantity and time%s'
                    else 'no open charge of user %s fits in product, quantity and time%s'
                end, user_id,
                (
                    select case
                            when bool_or(match_pair.is_renewal) then ', and a renewal is never guessed'
                            when bool_or(match_pair.ownership <> 'PURCHASED') then ', and family sharing is never guessed'
                        end
                    from match_pair
                    where match_pair.order_id = subject.order_id
                        and match_pair.order_product = match_pair.product_id
                        and (match_pair.is_carried or match_pair.is_by_owner)
                        and match_pair.holder is null
                )
            )
        end)
) as said (rung, reason)
order by said.rung;
