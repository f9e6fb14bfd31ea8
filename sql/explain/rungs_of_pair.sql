-- purpose: what each rung said of one order and one charge when the ladder was climbed anew: what it took, what it refused and
--          why, and what kept the pair from it, in words.
-- parameters: order_id, charge_id (text); window, ask_to_buy_window, skew (intervals), as in the ladder
-- grain:   one row per rung M1 to M6, with whether it granted the pair; none when the ladder looked at either not at all
-- note:    it reads what the rungs left in their work tables, and decides nothing.
with pair as (
    select
        match_order.order_id,
        match_order.user_id,
        match_order.status,
        match_order.transaction_id,
        match_order.original_transaction_id as order_original,
        match_order.web_order_line_item_id as order_line,
        match_order.evidence_sha256,
        match_order.own_token,
        match_order.is_standing,
        match_order.settled_at,
        match_order.created_at,
        match_order.quantity as order_quantity,
        match_charge.*,
        charges.web_order_line_item_id as line_item,
        coalesce(match_charge.chain_owner, match_charge.owner) as buyer,
        token_owner.user_id as token_user,
        coalesce(
            match_order.own_token,
            (
                select user_tokens.app_account_token
                from in_user_tokens as user_tokens
                where user_tokens.app_account_token = match_charge.token
                    and user_tokens.user_id = match_order.user_id
            ),
            users.app_account_token
        ) as order_token,
        case when match_order.own_token is null then 'the user''s' else 'the order''s' end as whose_token,
        match_evidence.order_id is not null as is_in_evidence,
        exists (
            select 1 from in_judged_evidence as judged_evidence where judged_evidence.sha256 = match_order.evidence_sha256
        ) as is_evidence_known,
        exists (select 1 from match_duplicate where match_duplicate.order_id = match_order.order_id) as is_duplicate,
        held.order_id as holder,
        holder.user_id as holder_user,
        given.rung as given_rung,
        given.charge_id as given_charge,
        case when given.charge_id = match_charge.charge_id then given.rung end as granted_rung,
        case
            when match_charge.bundle_id <> match_order.bundle_id then 'the purchase is of app ' || match_charge.bundle_id
            when match_charge.environment <> match_order.environment
                then 'the purchase is of environment ' || match_charge.environment
            when match_charge.product_id <> match_order.product_id
                then 'the purchase is of product ' || match_charge.product_id
        end as difference,
        round(abs(extract(epoch from match_charge.purchased_at - match_order.created_at)))::bigint as distance
    from match_order
    inner join match_charge on match_charge.charge_id = :'charge_id'::text
    inner join in_charges as charges on charges.charge_id = match_charge.charge_id
    left join in_users as users on users.user_id = match_order.user_id
    left join match_token_owner as token_owner on token_owner.token = match_charge.token
    left join match_evidence
        on match_evidence.order_id = match_order.order_id
        and match_evidence.charge_id = match_charge.charge_id
    left join match_decided as held on held.charge_id = match_charge.charge_id
    left join match_order as holder on holder.order_id = held.order_id
    left join match_decided as given on given.order_id = match_order.order_id
    where match_order.order_id = :'order_id'::text
),
-- What M2 would have had to choose among: orders that no higher rung had decided.
rival as (
    select count(*) as order_count
    from pair
    inner join match_order_token on match_order_token.token = pair.token
    inner join match_order as other
        on other.order_id = match_order_token.order_id
        and other.product_id = pair.product_id
        and other.bundle_id = pair.bundle_id
        and other.environment = pair.environment
    left join match_decided on match_decided.order_id = other.order_id
    where other.order_id <> pair.order_id
        and coalesce(match_decided.rung > 'M2', true)
        and other.is_standing >= pair.is_standing
        and other.created_at <= pair.purchased_at + :'skew'::interval
        and (not pair.is_renewal or other.created_at >= pair.purchased_at - :'window'::interval)
        and coalesce(pair.chain_owner = other.user_id, true)
),
worded as (
    select
        pair.*,
        rival.order_count as rival_count,
        case
            when pair.distance < 180 then pair.distance || ' s'
            when pair.distance < 10800 then pair.distance / 60 || ' min'
            when pair.distance < 172800 then pair.distance / 3600 || ' h'
            else pair.distance / 86400 || ' days'
        end as distance_text,
        case when pair.token_user is null then 'the subscription belongs' else 'the token belongs' end
            || ' to user ' || pair.owner as owner_text,
        case when pair.chain_owner is null then 'the token belongs' else 'the subscription belongs' end
            || ' to user ' || pair.buyer as buyer_text,
        rfc3339(pair.booking_from) || ' to ' || case
            when pair.booking_to = 'infinity' then 'the next renewal'
            else rfc3339(pair.booking_to)
        end as booking_text,
        -- What a renewal is not, whose order names another period.
        case
            when pair.order_original <> pair.original_transaction_id then 'the order names another subscription'
            when pair.order_line is distinct from pair.line_item and pair.order_line is not null
                then 'the order names line item ' || pair.order_line || ', which is not of this period'
            when pair.transaction_id is not null
                and not exists (
                    select 1
                    from match_candidate
                    where match_candidate.rung = 'M1'
                        and match_candidate.order_id = pair.order_id
                        and match_candidate.charge_id = pair.charge_id
                ) then 'the order names transaction ' || pair.transaction_id || ', which is of another purchase'
        end as other_period,
        -- What keeps apart a pair that fits.
        case
            when exists (
                select 1
                from match_decision
                where match_decision.action = 'unmatch'
                    and match_decision.order_id = pair.order_id
                    and match_decision.charge_id = pair.charge_id
            ) then 'two people decided that they do not belong together'
            when pair.holder <> pair.order_id
                then 'order ' || pair.holder || ' of user ' || pair.holder_user || ' holds the charge'
            when pair.given_charge <> pair.charge_id
                then 'the order has charge ' || pair.given_charge || ' by ' || pair.given_rung
            when pair.is_duplicate then 'another order of the user was granted what the order claims'
            when not pair.is_standing then 'an order that was paid or delivered goes before it'
            else 'the rung passed it by'
        end as obstacle
    from pair
    cross join rival
),
claim as (
    select distinct
        match_candidate.rung,
        coalesce(
            case
                when match_candidate.refusal = 'BUNDLE_DIFF' then 'the purchase is of app ' || worded.bundle_id
                when match_candidate.refusal in ('SANDBOX_IN_PROD', 'PROD_IN_SANDBOX')
                    then 'the purchase is of environment ' || worded.environment
                when match_candidate.refusal = 'USER_DIFF' then worded.owner_text
                when match_candidate.refusal = 'PRODUCT_DIFF' then 'the purchase is of product ' || worded.product_id
                when match_candidate.refusal = 'LATE_VERIFICATION'
                    then 'it was purchased ' || worded.distance / 86400 || ' days before the order was created'
            end,
            worded.obstacle
        ) as objection
    from worded
    inner join match_candidate
        on match_candidate.order_id = worded.order_id
        and match_candidate.charge_id = worded.charge_id
),
said as (
    select
        'M1' as rung,
        case
            when transaction_id is null then 'the order names no transaction'
            when exists (select 1 from claim where claim.rung = 'M1') then 'the order names transaction ' || transaction_id
            else 'transaction ' || transaction_id || ', which the order names, is not of this charge'
        end as reason
    from worded
    union all
    select
        'M2',
        case
            when token is null then 'the charge carries no token'
            when token_user <> user_id then 'the token belongs to user ' || token_user
            when order_token is null then 'neither the order nor its user carries a token'
            when own_token is null and token_user is null
                then 'the token belongs to ' || (
                    select count(*) from in_user_tokens as user_tokens where user_tokens.app_account_token = token
                ) || ' users'
            when chain_owner <> user_id then 'the subscription belongs to user ' || chain_owner
            when order_token <> token then whose_token || ' token is another than the charge''s'
            when difference is not null then difference
            when created_at > purchased_at + :'skew'::interval
                then 'the order was created ' || distance_text || ' after the purchase'
            when is_renewal and created_at < purchased_at - :'window'::interval
                then 'the order was created ' || distance_text || ' before the renewal'
            when is_renewal and other_period is not null then other_period
            when granted_rung is distinct from 'M2' and rival_count > 0
                then rival_count + 1 || ' open orders carry the charge''s token with that product'
            else whose_token || ' token is the charge''s, no other open order carries it, product and app agree, '
                || 'the order was created ' || distance_text
                || case when purchased_at < created_at then ' after' else ' before' end || ' the purchase'
                || case when granted_rung is distinct from 'M2' then ', but ' || obstacle else '' end
        end
    from worded
    union all
    select
        'M3',
        case
            when order_line = line_item then 'the order names line item ' || order_line
            when type <> 'auto_renewable' and order_original = original_transaction_id
                then 'the order names original transaction ' || order_original
            when order_line is not null then 'line item ' || order_line || ', which the order names, is not of this charge'
            when order_original is null then 'the order names no line item and no original transaction'
            when order_original = original_transaction_id
                then 'the order names the subscription, which says nothing of the period'
            else 'original transaction ' || order_original || ', which the order names, is not of this charge'
        end
    from worded
    union all
    select
        'M4',
        case
            when not is_renewal then 'the charge is not a renewal'
            when buyer is null then 'nobody knows whose subscription it is'
            when buyer <> user_id then buyer_text
            when difference is not null then difference
            when status = 'cancelled' then 'the order is cancelled'
            when other_period is not null then other_period
            when created_at < booking_from or created_at >= booking_to
                then 'the order was not created in the period''s booking time, ' || booking_text
            else 'a renewal of a subscription of user ' || buyer || ', and the order was created in its booking time, '
                || booking_text || case when granted_rung is distinct from 'M4' then ', but ' || obstacle else '' end
        end
    from worded
    union all
    select
        'M5',
        case
            when is_in_evidence and evidence_sha256 is null then 'the evidence was uploaded for the order'
            when is_in_evidence and not exists (select 1 from claim where claim.rung = 'M5')
                then 'evidence ' || evidence_sha256 || ' lists the purchase beside others, and '
                    || coalesce(difference, 'another one is nearer to the order')
            when is_in_evidence then 'the order carries the hash of evidence ' || evidence_sha256
            when evidence_sha256 is null then 'the order carries no evidence hash, and no upload names the order'
            when not is_evidence_known then 'evidence ' || evidence_sha256 || ' is not known'
            else 'evidence ' || evidence_sha256 || ' is not of this charge'
        end
    from worded
    union all
    select
        'M6',
        case
            when is_renewal then 'a renewal is never guessed'
            when ownership <> 'PURCHASED' then 'family sharing is never guessed'
            when status = 'cancelled' then 'the order is cancelled'
            when difference is not null then difference
            when order_quantity <> quantity then 'the quantities are ' || order_quantity || ' and ' || quantity
            when buyer <> user_id then buyer_text
            when purchased_at < created_at - :'skew'::interval
                then 'the purchase was ' || distance_text || ' before the order'
            when purchased_at > created_at + case
                when settled_at is null or settled_at >= purchased_at - :'skew'::interval
                    then :'ask_to_buy_window'::interval
                else :'window'::interval
            end then 'the purchase was ' || distance_text || ' after the order'
            when exists (
                select 1
                from match_heuristic
                where (match_heuristic.order_id = worded.order_id) <> (match_heuristic.charge_id = worded.charge_id)
            ) and granted_rung = 'M6'
                then 'of several orders and charges of user ' || user_id || ' that fit, this pair is in every assignment'
                    || ' of the least total time distance'
            when granted_rung = 'M6' then 'user, product, quantity and time fit, and nothing else fits either of the two'
            when exists (
                select 1
                from match_heuristic
                where match_heuristic.order_id = worded.order_id
                    and match_heuristic.charge_id = worded.charge_id
            ) then 'user, product, quantity and time fit'
            else 'nothing leads from the charge to user ' || user_id
        end
    from worded
)
select
    said.rung,
    coalesce(said.rung = worded.granted_rung, false) as is_granted,
    said.reason || coalesce(', but ' || case when claim.rung <> coalesce(worded.granted_rung, '') then claim.objection end, '')
        as reason
from said
cross join worded
left join claim
    on claim.rung = said.rung
    and claim.rung in ('M1', 'M3', 'M5')
order by said.rung;
