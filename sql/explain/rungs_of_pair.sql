-- purpose: what each rung said of one order and one charge when the ladder was climbed anew: what it took, what it refused and
--          why, and what kept the pair from it, in words.
-- parameters: order_id, charge_id (text)
-- grain:   one row per rung M1 to M6, with whether it granted the pair; none when the ladder looked at either not at all
-- note:    it reads what the rungs left in their work tables, and decides nothing.
with pair as (
    select
        match_pair.*,
        held.*,
        case when match_pair.own_token is null then 'the user''s' else 'the order''s' end as whose_token,
        (
            select match_token_order.order_id
            from match_token_order
            where match_token_order.token = match_pair.token
                and match_token_order.is_one_orders
                and match_pair.own_token <> match_pair.token
        ) as order_of_token,
        match_evidence.order_id is not null as is_in_evidence,
        coalesce('evidence ' || encode(match_evidence.sha256, 'hex'), 'what was uploaded for the order') as evidence_text,
        encode(match_evidence.sha256, 'hex') as named_evidence,
        case when match_pair.given_charge = match_pair.charge_id then match_pair.given_rung end as granted_rung,
        match_pair.difference[2] as differs,
        span_text(match_pair.distance) as span,
        format(
            '%s to %s', rfc3339(match_pair.booking_from),
            case when match_pair.booking_to = 'infinity' then 'the next renewal' else rfc3339(match_pair.booking_to) end
        ) as booking_time,
        -- What keeps apart a pair that fits.
        case
            when match_pair.is_unmatched then 'two people decided that they do not belong together'
            when match_pair.holder <> match_pair.order_id
                then format('order %s of user %s holds the charge', match_pair.holder, holder.user_id)
            when match_pair.given_charge <> match_pair.charge_id
                then format('the order has charge %s by %s', match_pair.given_charge, match_pair.given_rung)
            when match_pair.is_duplicate then 'another order holds what the order claims'
            when match_pair.refused_on is not null then 'the order was refused the purchase that it claims'
        end as obstacle,
        case when match_pair.chain_owner is null then 'the token' else 'the subscription' end
            || ' belongs to user ' || match_pair.buyer as buyer_text,
        case match_pair.other_period
            when 'subscription' then 'the order names another subscription'
            when 'line item' then format('the order names line item %s, which is not of this period', match_pair.order_line)
            when 'access' then format(
                'the order was booked at the end of the period, for access until %s', rfc3339(match_pair.access_until)
            )
            when 'transaction'
                then format('the order names transaction %s, which is not of this period', match_pair.transaction_id)
        end as period_text
    from match_pair
    left join match_evidence
        on match_evidence.order_id = match_pair.order_id
        and match_evidence.charge_id = match_pair.charge_id
    left join match_order as holder on holder.order_id = match_pair.holder
    cross join lateral (
        select
            count(distinct user_tokens.app_account_token) filter (where user_tokens.user_id = match_pair.user_id) as token_count,
            count(distinct user_tokens.user_id) filter (where user_tokens.app_account_token = match_pair.token) as holder_count,
            coalesce(
                bool_or(user_tokens.app_account_token = match_pair.token) filter (where user_tokens.user_id = match_pair.user_id), false
            ) as is_users_token
        from in_user_tokens as user_tokens
    ) as held
    where match_pair.order_id = :'order_id'::text
        and match_pair.charge_id = :'charge_id'::text
),
-- What M2 had to choose among: whether the order was one, and beside it orders of the same standing, those that go before it, those
-- that it goes before, and those of other users.
choice as (
    select
        bool_or(rival.kind = 'own') as is_in,
        few_of(array_agg(rival.name order by rival.created_at, rival.order_id) filter (where rival.kind = 'peers')) as peers,
        few_of(array_agg(rival.name order by rival.created_at, rival.order_id) filter (where rival.kind = 'ahead')) as ahead,
        few_of(array_agg(rival.name order by rival.created_at, rival.order_id) filter (where rival.kind = 'strangers')) as strangers,
        few_of(array_agg(rival.name order by rival.created_at, rival.order_id) filter (where rival.kind = 'behind'))
            || case when count(*) filter (where rival.kind = 'behind') > 1 then ' carry it, too' else ' carries it, too' end as behind
    from (
        select
            other.order_id,
            other.created_at,
            case when other.standing = 2 then '' when other.status = 'cancelled' then 'cancelled order ' else 'cart ' end
                || other.order_id as name,
            case
                when other.order_id = pair.order_id then case when match_rival.is_strangers then '' else 'own' end
                when match_rival.is_strangers then 'strangers'
                when other.standing = pair.standing then 'peers'
                when other.standing > pair.standing then 'ahead'
                else 'behind'
            end as kind
        from pair
        inner join match_rival on match_rival.charge_id = pair.charge_id
        inner join match_order as other on other.order_id = match_rival.order_id
    ) as rival
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
                and (match_heuristic.order_id, match_heuristic.charge_id) not in (select part.order_id, part.charge_id from part)
        ) as is_by_standing
    from part
),
claim as (
    select distinct
        match_candidate.rung,
        case
            when match_candidate.rung = pair.granted_rung then null
            when match_candidate.refusal = 'OTHER_PERIOD' then 'it was created for a later period, and names the subscription'
            when match_candidate.refusal in ('BUNDLE_DIFF', 'SANDBOX_IN_PROD', 'PROD_IN_SANDBOX') then pair.differs
            when match_candidate.refusal = 'USER_DIFF'
                then format(
                    'the %s belongs to user %s', case when pair.token_user is null then 'subscription' else 'token' end, pair.owner
                )
            when match_candidate.refusal = 'PRODUCT_DIFF' then 'the purchase is of product ' || pair.product_id
            when match_candidate.refusal = 'LATE_VERIFICATION'
                then format('it was purchased %s days before the order was created', pair.distance / 86400)
            else coalesce(pair.obstacle, 'the rung passed it by')
        end as objection
    from pair
    inner join match_candidate
        on match_candidate.order_id = pair.order_id
        and match_candidate.charge_id = pair.charge_id
),
worded as (
    select
        pair.*,
        choice.*,
        assigned.*,
        coalesce(pair.obstacle, 'the rung passed it by') as passed_by,
        -- Whether M2 had to choose, and did not choose the pair.
        coalesce(pair.holder_rung > 'M2', true) and choice.is_in as is_open_to_m2,
        format(
            '%s token is the charge''s, %sproduct and app agree, the order was created %s %s the purchase', pair.whose_token,
            case
                when pair.granted_rung is distinct from 'M2' or coalesce(choice.ahead, choice.peers, choice.strangers) is not null
                    then ''
                when choice.behind is not null then choice.behind || ', but a paid or delivered order goes before, '
                else 'no other open order from before the purchase carries it, '
            end, pair.span, pair.side
        ) as fits_by_token,
        format(
            'a renewal of a subscription of user %s, and the order was created in its booking time, %s', pair.buyer,
            pair.booking_time
        ) as fits_by_period
    from pair
    cross join choice
    cross join assigned
)
select
    said.rung,
    coalesce(said.rung = worded.granted_rung, false) as is_granted,
    said.reason || case
        when said.rung in (select rungs.rung from rungs where rungs.is_claim)
            then coalesce(', but ' || (select claim.objection from claim where claim.rung = said.rung), '')
        else ''
    end as reason
from worded
cross join lateral (
    values
        ('M1', case
            when transaction_id is null then 'the order names no transaction'
            when exists (select 1 from claim where claim.rung = 'M1') then 'the order names transaction ' || transaction_id
            else format('transaction %s, which the order names, is not of this charge', transaction_id)
        end),
        ('M2', case
            when granted_rung = 'M2' then fits_by_token
            when token is null then 'the charge carries no token'
            when token_user <> user_id then 'the token belongs to user ' || token_user
            when own_token is null and is_users_token and holder_count > 1
                then format('%s users held the token, so that it speaks for none of them', holder_count)
            when own_token is null and token_count = 0 then 'neither the order nor its user carries a token'
            when chain_owner <> user_id then 'the subscription belongs to user ' || chain_owner
            when own_token is null and not is_users_token and token_count > 1
                then 'the user''s tokens are others than the charge''s'
            when own_token <> token or (own_token is null and not is_users_token)
                then whose_token || ' token is another than the charge''s'
            when differs is not null then differs
            when not is_preceding
                then format('the order was created %s %s the %s', span, side, case side when 'after' then 'purchase' else 'renewal' end)
            when period_text is not null then period_text
            when is_open_to_m2 and ahead is not null
                then 'an order that was paid or delivered carries the charge''s token with that product, too, and goes before: ' || ahead
            when is_open_to_m2 and peers is not null
                then 'several open orders carry the charge''s token with that product: this one and ' || peers
            when is_open_to_m2 and strangers is not null
                then 'another user''s order carries the charge''s token with that product, too, and nobody knew yet whose'
                    || ' subscription it is: ' || strangers
            else format('%s, but %s', fits_by_token, passed_by)
        end),
        ('M3', case
            when order_line = line_item then 'the order names line item ' || order_line
            when type <> 'auto_renewable' and order_original = original_transaction_id
                then 'the order names original transaction ' || order_original
            when order_line is not null then format('line item %s, which the order names, is not of this charge', order_line)
            when order_original is null then 'the order names no line item and no original transaction'
            when order_original = original_transaction_id
                then 'the order names the subscription, which says nothing of the period'
            else format('original transaction %s, which the order names, is not of this charge', order_original)
        end),
        ('M4', case
            when granted_rung = 'M4' then fits_by_period
            when not is_renewal then 'the charge is not a renewal'
            when buyer is null then 'nobody knows whose subscription it is'
            when not is_by_owner then buyer_text
            when differs is not null then differs
            when status = 'cancelled' then 'the order is cancelled'
            when period_text is not null then period_text
            when not is_booked then 'the order was not created in the period''s booking time, ' || booking_time
            else format('%s, but %s', fits_by_period, passed_by)
        end),
        ('M5', case
            when is_in_evidence and exists (select 1 from claim where claim.rung = 'M5')
                then coalesce('the order carries the hash of evidence ' || named_evidence, 'the evidence was uploaded for the order')
            when is_in_evidence then format(
                '%s lists the purchase beside others, and %s', evidence_text,
                case
                    when differs is not null then differs
                    when exists (
                        select 1
                        from match_candidate
                        where match_candidate.rung = 'M5'
                            and match_candidate.order_id = worded.order_id
                            and match_candidate.charge_id is not null
                    ) then 'the time of another one is nearer to that of the order'
                    else passed_by
                end
            )
            when evidence_sha256 is null
                then case
                    when exists (select 1 from in_uploads as uploads where uploads.order_id = worded.order_id)
                        then 'what was uploaded for the order is not of this charge'
                    else 'the order carries no evidence hash, and no upload names the order'
                end
            when exists (select 1 from match_hash where match_hash.order_id = worded.order_id)
                then format('evidence %s is not of this charge', encode(evidence_sha256, 'hex'))
            else format('evidence %s is not known', encode(evidence_sha256, 'hex'))
        end),
        ('M6', case
            when granted_rung = 'M6' then case
                when is_by_standing and is_by_time
                    then 'several orders and charges fit; a paid or delivered order goes before carts, and of what is left this'
                        || ' pair is in every assignment of the least total time distance'
                when is_by_standing
                    then 'user, product, quantity and time fit; a paid or delivered order goes before carts that fit, too,'
                        || ' and nothing else is left that fits either of the two'
                when is_by_time then format(
                    'of several orders and charges of user %s that fit, this pair is in every assignment of the least total time'
                    ' distance', user_id
                )
                else 'user, product, quantity and time fit, and nothing else fits either of the two'
            end
            when is_renewal then 'a renewal is never guessed'
            when ownership <> 'PURCHASED' then 'family sharing is never guessed'
            when status = 'cancelled' then 'the order is cancelled'
            when differs is not null then differs
            when order_quantity <> quantity then format('the quantities are %s and %s', order_quantity, quantity)
            when not is_by_owner then buyer_text
            when order_of_token is not null
                then 'the order has a token of its own, and the purchase carries that of order ' || order_of_token
            when not is_in_window
                then format('the purchase was %s %s the order', span, case side when 'after' then 'before' else 'after' end)
            when exists (
                select 1
                from match_heuristic
                where match_heuristic.order_id = worded.order_id
                    and match_heuristic.charge_id = worded.charge_id
            ) then 'user, product, quantity and time fit, but '
                || coalesce(obstacle, 'so does more than this order and this charge, and nothing decides')
            else coalesce(obstacle, 'nothing leads from the charge to user ' || user_id)
        end)
) as said (rung, reason)
order by said.rung;
