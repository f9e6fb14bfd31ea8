-- purpose: why no rung found a charge for an order when the ladder was climbed anew, as a person would say it.
-- parameters: order_id (text); skew, window (intervals), as in the ladder
-- grain:   one row per rung M1 to M6 and each further one; none when the ladder did not look at the order
-- note:    it reads what the rungs left in their work tables, and decides nothing.
with posted as materialized (
    -- The hash may be of the text that a notification was posted in.
    select match_order.order_id, evidence.verdict
    from match_order
    inner join evidence_links on evidence_links.parent_sha256 = match_order.evidence_sha256
    inner join in_judged_evidence as evidence on evidence.sha256 = evidence_links.sha256
    where match_order.order_id = :'order_id'::text
        and evidence_links.batch_id is not null
),
subject as (
    select
        match_order.*,
        coalesce(evidence.verdict, posted.verdict) as verdict,
        token_owner.user_id as token_user,
        case when match_order.own_token is null then 'the user''s' else 'the order''s' end as whose_token,
        exists (
            select 1 from in_user_tokens as user_tokens where user_tokens.user_id = match_order.user_id
        ) as has_user_token,
        exists (
            select 1
            from in_user_tokens as user_tokens
            inner join match_token_owner on match_token_owner.token = user_tokens.app_account_token
            where user_tokens.user_id = match_order.user_id
        ) as has_speaking_token,
        exists (select 1 from match_duplicate where match_duplicate.order_id = match_order.order_id) as is_duplicate,
        (
            select match_refused_order.rung from match_refused_order where match_refused_order.order_id = match_order.order_id
        ) as refused_on,
        exists (
            select 1
            from match_decision
            where match_decision.order_id = match_order.order_id
                and match_decision.action = 'unmatch'
        ) as is_unmatched
    from match_order
    left join in_judged_evidence as evidence on evidence.sha256 = match_order.evidence_sha256
    left join posted on posted.order_id = match_order.order_id
    left join match_token_owner as token_owner on token_owner.token = match_order.own_token
    where match_order.order_id = :'order_id'::text
),
token as (
    select own_token as token from subject where own_token is not null
    union
    select user_tokens.app_account_token
    from subject
    inner join in_user_tokens as user_tokens on user_tokens.user_id = subject.user_id
    inner join match_token_owner on match_token_owner.token = user_tokens.app_account_token
    where subject.own_token is null
),
-- Charges that the order may be of, by token or by subscription, and what stands between.
near as (
    select
        match_pair.*,
        token.token is not null as is_carried,
        match_pair.buyer = match_pair.user_id as is_by_owner
    from match_pair
    left join token on token.token = match_pair.token
    where match_pair.order_id = :'order_id'::text
        and match_pair.product_id = match_pair.order_product
        and (token.token is not null or match_pair.buyer = match_pair.user_id)
),
-- Other orders among which M2 had to choose.
rival as (
    select match_rival.charge_id, few_of(array_agg(other.order_id order by other.created_at, other.order_id)) as names
    from subject
    inner join match_rival on match_rival.is_standing >= subject.is_standing
    inner join match_order as other
        on other.order_id = match_rival.order_id
        and other.order_id <> subject.order_id
    group by match_rival.charge_id
),
-- The charge that came nearest to the order on M2, and why it is not the order's.
by_token as (
    select told.reason
    from (
        select
            near.charge_id,
            near.distance,
            barrier.place,
            'charge ' || near.charge_id || ' carries ' || subject.whose_token || ' token with that product, but '
                || barrier.text as reason
        from subject
        cross join near
        left join rival on rival.charge_id = near.charge_id
        cross join lateral (
            values
                (1, 'the purchase ' || near.charge_differs),
                (2, case
                    when near.chain_owner <> subject.user_id
                        then 'it is of a subscription of user ' || near.chain_owner
                end),
                (3, case
                    when near.purchased_at < subject.created_at - :'skew'::interval
                        then 'it was purchased ' || span_text(near.distance) || ' before the order was created'
                end),
                (4, case
                    when near.is_renewal and subject.created_at < near.purchased_at - :'window'::interval
                        then 'it is a renewal, purchased ' || span_text(near.distance) || ' after the order was created'
                end),
                (5, case when near.other_period is not null then 'it is a renewal, and the order names another period' end),
                (6, case when near.is_unmatched then 'two people decided that it does not belong to the order' end),
                (7, 'order ' || near.holder || ' has it by ' || near.holder_rung),
                (8, case
                    when subject.is_duplicate then 'another order holds what the order claims'
                    when subject.refused_on < 'M2' then 'the order was refused the purchase that it names'
                end),
                (9, 'the token leads to other open orders of that product, too: ' || rival.names),
                (10, 'the rung passed it by')
        ) as barrier (place, text)
        where near.is_carried
            and (near.charge_differs is not null or near.charge_id in (select match_asked.charge_id from match_asked))
            and barrier.text is not null
    ) as told
    order by
        -- Of each charge the first thing that stands between, of these the farthest.
        min(told.place) over (partition by told.charge_id) desc, told.distance, told.charge_id, told.place
    limit 1
),
-- The same of renewals on M4.
by_period as (
    select told.reason
    from (
        select
            near.charge_id,
            case
                when subject.status = 'cancelled' then 'the order is cancelled'
                when near.other_period is not null then 'the order names another period than renewal ' || near.charge_id
                when near.is_unmatched
                    then 'two people decided that renewal ' || near.charge_id || ' does not belong to the order'
                when near.holder is not null
                    then 'order ' || near.holder || ' has renewal ' || near.charge_id || ' of the period by '
                        || near.holder_rung
                when subject.is_duplicate then 'another order holds what the order claims'
                else 'the rung passed renewal ' || near.charge_id || ' by'
            end as reason
        from subject
        cross join near
        where near.is_renewal
            and near.is_by_owner
            and near.charge_differs is null
            and subject.created_at >= near.booking_from
            and subject.created_at < near.booking_to
    ) as told
    order by told.charge_id
    limit 1
)
select rung, false, reason
from subject
cross join lateral (
    values
        ('M1', case
            when transaction_id is null then 'the order names no transaction'
            when exists (
                select 1
                from match_candidate
                where match_candidate.order_id = subject.order_id
                    and match_candidate.rung = 'M1'
                    and match_candidate.refusal = 'UNMATCHED'
            ) then 'two people decided that the charge of transaction ' || transaction_id || ' does not belong to the order'
            when exists (
                select 1 from match_candidate where match_candidate.order_id = subject.order_id and match_candidate.rung = 'M1'
            ) then 'the charge of transaction ' || transaction_id || ' is not the order''s'
            else 'no genuine evidence tells of transaction ' || transaction_id
        end),
        ('M2', case
            when own_token is null and not has_user_token then 'neither the order nor its user carries a token'
            when token_user <> user_id then 'the order''s token belongs to user ' || token_user
            when own_token is null and not has_speaking_token
                then 'other users held the user''s token, too, so that it speaks for none of them'
            else coalesce(
                (select by_token.reason from by_token),
                'no charge carries ' || whose_token || ' token with that product'
            )
        end),
        ('M3', case
            when web_order_line_item_id is null and original_transaction_id is null
                then 'the order names no line item and no original transaction'
            when exists (
                select 1
                from match_candidate
                where match_candidate.order_id = subject.order_id
                    and match_candidate.rung = 'M3'
                    and match_candidate.refusal = 'UNMATCHED'
            ) then 'two people decided that what the order names does not belong to it'
            when exists (
                select 1 from match_candidate where match_candidate.order_id = subject.order_id and match_candidate.rung = 'M3'
            ) then 'what the order names is not the order''s'
            when web_order_line_item_id is not null then 'no genuine evidence tells of line item ' || web_order_line_item_id
            when exists (
                select 1 from in_charges as charges where charges.original_transaction_id = subject.original_transaction_id
            ) then 'the order names the subscription, which says nothing of the period'
            else 'no genuine evidence tells of original transaction ' || original_transaction_id
        end),
        ('M4', coalesce(
            (select by_period.reason from by_period),
            'no renewal of that product was to be booked for user ' || user_id || ' when the order was created'
        )),
        ('M5', case
            when exists (
                select 1
                from match_candidate
                where match_candidate.order_id = subject.order_id
                    and match_candidate.rung = 'M5'
                    and match_candidate.refusal = 'UNMATCHED'
            ) then 'two people decided that the charge of the evidence does not belong to the order'
            when evidence_sha256 is null
                and exists (select 1 from in_uploads as uploads where uploads.order_id = subject.order_id)
                then 'what was uploaded for the order tells of no charge that is the order''s'
            when evidence_sha256 is null then 'the order carries no evidence hash, and no upload names the order'
            when verdict is null then 'evidence ' || evidence_sha256 || ' is not known'
            when verdict <> 'genuine' then 'evidence ' || evidence_sha256 || ' is ' || verdict
            else 'evidence ' || evidence_sha256 || ' tells of no charge that is the order''s'
        end),
        ('M6', case
            when status = 'cancelled' then 'the order is cancelled'
            when is_duplicate then 'another order holds what the order claims'
            when refused_on is not null then 'the order was refused the purchase that it claims'
            else case when is_unmatched then 'no other open charge of user ' else 'no open charge of user ' end || user_id
                || ' fits in product, quantity and time' || case
                    when exists (select 1 from near where near.is_renewal and near.holder is null)
                        then ', and a renewal is never guessed'
                    when exists (select 1 from near where near.ownership <> 'PURCHASED' and near.holder is null)
                        then ', and family sharing is never guessed'
                    else ''
                end
        end)
) as said (rung, reason)
union all
select
    rungs.rung, false,
    case
        when rungs.rung in (select candidate.rung from match_candidate as candidate where candidate.order_id = :'order_id'::text)
            then 'what it found is refused, or another order or charge went before'
        else 'for no charge it holds that ' || rungs.says
    end
from subject
inner join rungs on rungs.rung > 'M7'
order by rung;
