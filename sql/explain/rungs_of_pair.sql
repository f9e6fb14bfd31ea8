-- purpose: what each rung said of one order and one charge when the ladder was climbed anew: what it took, what it refused and
--          why, and what kept the pair from it, in words.
-- parameters: order_id, charge_id (text); window, ask_to_buy_window, skew (intervals), as in the ladder
-- grain:   one row per rung M1 to M6 and each further one, with whether it granted the pair; none when the ladder looked at
--          either not at all
-- note:    it reads what the rungs left in their work tables, and decides nothing.
with posted as materialized (
    -- The hash may be of the text that a notification was posted in.
    select match_order.order_id
    from match_order
    inner join evidence_links on evidence_links.parent_sha256 = match_order.evidence_sha256
    where match_order.order_id = :'order_id'::text
        and evidence_links.batch_id is not null
),
pair as (
    select
        match_pair.*,
        token_owner.user_id as token_user,
        (
            select count(distinct user_tokens.app_account_token)
            from in_user_tokens as user_tokens
            where user_tokens.user_id = match_pair.user_id
        ) as user_token_count,
        exists (
            select 1
            from in_user_tokens as user_tokens
            where user_tokens.app_account_token = match_pair.token
                and user_tokens.user_id = match_pair.user_id
        ) as is_users_token,
        (
            select count(distinct user_tokens.user_id)
            from in_user_tokens as user_tokens
            where user_tokens.app_account_token = match_pair.token
        ) as token_holder_count,
        case when match_pair.own_token is null then 'the user''s' else 'the order''s' end as whose_token,
        (
            select match_token_order.order_id
            from match_token_order
            where match_token_order.token = match_pair.token
                and match_token_order.is_one_orders
                and match_pair.own_token <> match_pair.token
        ) as order_of_token,
        match_evidence.order_id is not null as is_in_evidence,
        match_evidence.sha256 as named_evidence,
        exists (
            select 1 from in_judged_evidence as judged_evidence where judged_evidence.sha256 = match_pair.evidence_sha256
        )
        or exists (select 1 from posted) as is_evidence_known,
        exists (select 1 from in_uploads as uploads where uploads.order_id = match_pair.order_id) as is_uploaded_for,
        case when match_pair.given_charge = match_pair.charge_id then match_pair.given_rung end as granted_rung,
        'the purchase ' || match_pair.charge_differs as difference,
        -- What keeps apart a pair that fits.
        case
            when match_pair.is_unmatched then 'two people decided that they do not belong together'
            when match_pair.holder <> match_pair.order_id
                then 'order ' || match_pair.holder || ' of user ' || holder.user_id || ' holds the charge'
            when match_pair.given_charge <> match_pair.charge_id
                then 'the order has charge ' || match_pair.given_charge || ' by ' || match_pair.given_rung
            when match_pair.is_duplicate then 'another order holds what the order claims'
            when match_pair.refused_on is not null then 'the order was refused the purchase that it claims'
        end as obstacle,
        span_text(match_pair.distance) as distance_text,
        rfc3339(match_pair.booking_from) || ' to ' || case
            when match_pair.booking_to = 'infinity' then 'the next renewal'
            else rfc3339(match_pair.booking_to)
        end as booking_text
    from match_pair
    left join match_token_owner as token_owner on token_owner.token = match_pair.token
    left join match_evidence
        on match_evidence.order_id = match_pair.order_id
        and match_evidence.charge_id = match_pair.charge_id
    left join match_order as holder on holder.order_id = match_pair.holder
    where match_pair.order_id = :'order_id'::text
        and match_pair.charge_id = :'charge_id'::text
),
-- What M2 had to choose among beside the order: orders of the same standing, those that go before it, those that it goes before,
-- and those of other users.
rival as (
    select
        grouped.kind,
        few_of(array_agg(grouped.name order by grouped.created_at, grouped.order_id)) as names,
        count(*) as order_count
    from (
        select
            other.order_id,
            other.created_at,
            case when other.is_standing then '' when other.status = 'cancelled' then 'cancelled order ' else 'cart ' end
                || other.order_id as name,
            case
                when match_rival.is_strangers then 'strangers'
                when other.is_standing = pair.is_standing then 'peers'
                when other.is_standing then 'ahead'
                else 'behind'
            end as kind
        from pair
        inner join match_rival on match_rival.charge_id = pair.charge_id
        inner join match_order as other on other.order_id = match_rival.order_id
        where other.order_id <> pair.order_id
    ) as grouped
    group by grouped.kind
),
-- What M6 laid beside each other with a pair that it granted, without the carts that a paid or delivered order goes before.
part as (
    select match_contest.order_id, match_contest.charge_id
    from match_contest as own
    inner join match_contest on match_contest.part = own.part
    where own.order_id = :'order_id'::text
        and own.charge_id = :'charge_id'::text
),
assigned as (
    select
        count(distinct part.charge_id) > 1 as is_by_time,
        exists (
            select 1
            from match_heuristic
            where (
                match_heuristic.charge_id in (select part.charge_id from part)
                or match_heuristic.order_id in (select part.order_id from part)
            )
                and not exists (
                    select 1
                    from part
                    where part.order_id = match_heuristic.order_id
                        and part.charge_id = match_heuristic.charge_id
                )
        ) as is_by_standing
    from part
),
worded as (
    select
        pair.*,
        coalesce(pair.obstacle, 'the rung passed it by') as passed_by,
        assigned.is_by_time,
        assigned.is_by_standing,
        peers.names as peers,
        ahead.names as ahead,
        strangers.names as strangers,
        case when pair.token_user is null then 'the subscription belongs' else 'the token belongs' end
            || ' to user ' || pair.owner as owner_text,
        case when pair.chain_owner is null then 'the token belongs' else 'the subscription belongs' end
            || ' to user ' || pair.buyer as buyer_text,
        case pair.other_period
            when 'subscription' then 'the order names another subscription'
            when 'line item' then 'the order names line item ' || pair.order_line || ', which is not of this period'
            when 'access'
                then 'the order was booked at the end of the period, for access until ' || rfc3339(pair.access_until)
            when 'transaction' then 'the order names transaction ' || pair.transaction_id || ', which is not of this period'
        end as period_text,
        pair.whose_token || ' token is the charge''s, ' || case
            when pair.granted_rung is distinct from 'M2' or coalesce(ahead.names, peers.names, strangers.names) is not null
                then ''
            when behind.names is not null
                then behind.names || case when behind.order_count > 1 then ' carry it, too' else ' carries it, too' end
                    || ', but a paid or delivered order goes before, '
            else 'no other open order from before the purchase carries it, '
        end || 'product and app agree, the order was created ' || pair.distance_text
            || case when pair.purchased_at < pair.created_at then ' after the purchase' else ' before the purchase' end
            as fits_by_token,
        'a renewal of a subscription of user ' || pair.buyer || ', and the order was created in its booking time, '
            || pair.booking_text as fits_by_period,
        -- Whether M2 had to choose, and did not choose the pair.
        coalesce(pair.holder_rung > 'M2', true)
        and exists (
            select 1
            from match_rival
            where match_rival.order_id = pair.order_id
                and match_rival.charge_id = pair.charge_id
                and not match_rival.is_strangers
        ) as is_open_to_m2
    from pair
    cross join assigned
    left join rival as peers on peers.kind = 'peers'
    left join rival as ahead on ahead.kind = 'ahead'
    left join rival as behind on behind.kind = 'behind'
    left join rival as strangers on strangers.kind = 'strangers'
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
            worded.passed_by
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
            when granted_rung = 'M2' then fits_by_token
            when token is null then 'the charge carries no token'
            when token_user <> user_id then 'the token belongs to user ' || token_user
            when own_token is null and is_users_token and token_holder_count > 1
                then token_holder_count || ' users held the token, so that it speaks for none of them'
            when own_token is null and user_token_count = 0 then 'neither the order nor its user carries a token'
            when chain_owner <> user_id then 'the subscription belongs to user ' || chain_owner
            when own_token is null and not is_users_token and user_token_count > 1
                then 'the user''s tokens are others than the charge''s'
            when own_token <> token or (own_token is null and not is_users_token)
                then whose_token || ' token is another than the charge''s'
            when difference is not null then difference
            when created_at > purchased_at + :'skew'::interval
                then 'the order was created ' || distance_text || ' after the purchase'
            when is_renewal and created_at < purchased_at - :'window'::interval
                then 'the order was created ' || distance_text || ' before the renewal'
            when period_text is not null then period_text
            when is_open_to_m2 and ahead is not null
                then 'an order that was paid or delivered carries the charge''s token with that product, too, and goes'
                    || ' before: ' || ahead
            when is_open_to_m2 and peers is not null
                then 'several open orders carry the charge''s token with that product: this one and ' || peers
            when is_open_to_m2 and strangers is not null
                then 'another user''s order carries the charge''s token with that product, too, and nobody knew yet whose'
                    || ' subscription it is: ' || strangers
            else fits_by_token || ', but ' || passed_by
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
            when granted_rung = 'M4' then fits_by_period
            when not is_renewal then 'the charge is not a renewal'
            when buyer is null then 'nobody knows whose subscription it is'
            when buyer <> user_id then buyer_text
            when difference is not null then difference
            when status = 'cancelled' then 'the order is cancelled'
            when period_text is not null then period_text
            when created_at < booking_from or created_at >= booking_to
                then 'the order was not created in the period''s booking time, ' || booking_text
            else fits_by_period || ', but ' || passed_by
        end
    from worded
    union all
    select
        'M5',
        case
            when is_in_evidence and exists (select 1 from claim where claim.rung = 'M5')
                then coalesce(
                    'the order carries the hash of evidence ' || named_evidence, 'the evidence was uploaded for the order'
                )
            when is_in_evidence
                then coalesce('evidence ' || named_evidence, 'what was uploaded for the order')
                    || ' lists the purchase beside others, and ' || coalesce(
                        difference,
                        case
                            when exists (
                                select 1
                                from match_candidate
                                where match_candidate.rung = 'M5'
                                    and match_candidate.order_id = worded.order_id
                                    and match_candidate.charge_id is not null
                            ) then 'the time of another one is nearer to that of the order'
                        end,
                        passed_by
                    )
            when evidence_sha256 is null and is_uploaded_for then 'what was uploaded for the order is not of this charge'
            when evidence_sha256 is null then 'the order carries no evidence hash, and no upload names the order'
            when not is_evidence_known then 'evidence ' || evidence_sha256 || ' is not known'
            else 'evidence ' || evidence_sha256 || ' is not of this charge'
        end
    from worded
    union all
    select
        'M6',
        case
            when granted_rung = 'M6' and is_by_standing and is_by_time
                then 'several orders and charges fit; a paid or delivered order goes before carts, and of what is left this'
                    || ' pair is in every assignment of the least total time distance'
            when granted_rung = 'M6' and is_by_standing
                then 'user, product, quantity and time fit; a paid or delivered order goes before carts that fit, too,'
                    || ' and nothing else is left that fits either of the two'
            when granted_rung = 'M6' and is_by_time
                then 'of several orders and charges of user ' || user_id || ' that fit, this pair is in every assignment'
                    || ' of the least total time distance'
            when granted_rung = 'M6' then 'user, product, quantity and time fit, and nothing else fits either of the two'
            when is_renewal then 'a renewal is never guessed'
            when ownership <> 'PURCHASED' then 'family sharing is never guessed'
            when status = 'cancelled' then 'the order is cancelled'
            when difference is not null then difference
            when order_quantity <> quantity then 'the quantities are ' || order_quantity || ' and ' || quantity
            when buyer <> user_id then buyer_text
            when order_of_token is not null
                then 'the order has a token of its own, and the purchase carries that of order ' || order_of_token
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
                where match_heuristic.order_id = worded.order_id
                    and match_heuristic.charge_id = worded.charge_id
            ) then 'user, product, quantity and time fit, but '
                || coalesce(obstacle, 'so does more than this order and this charge, and nothing decides')
            when obstacle is not null then obstacle
            else 'nothing leads from the charge to user ' || user_id
        end
    from worded
    union all
    select
        rungs.rung,
        case
            when worded.granted_rung = rungs.rung then rungs.says
            when candidate.order_id is null then 'it does not hold that ' || rungs.says
            when candidate.refusal is not null then 'the pair is refused'
            else rungs.says || ', but another order or charge went before'
        end
    from worded
    inner join rungs on rungs.rung > 'M7'
    left join match_candidate as candidate
        on candidate.rung = rungs.rung
        and candidate.order_id = worded.order_id
        and candidate.charge_id = worded.charge_id
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
    and claim.rung in (select rungs.rung from rungs where rungs.is_claim)
order by said.rung;
