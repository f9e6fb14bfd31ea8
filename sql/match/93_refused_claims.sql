-- purpose: for each order that claims something and got nothing, the one class that says why.
-- parameters: testers (text[]): users that the settings name as testers
-- grain:   one row per order without match that claimed
create temp table match_refused on commit drop as
with holder as (
    select match_decided.charge_id, match_decided.order_id, match_order.user_id, match_order.is_delivered
    from match_decided
    inner join match_order on match_order.order_id = match_decided.order_id
),
claim as (
    select
        match_candidate.*, rungs.is_claim, match_order.user_id, match_order.standing, match_order.is_delivered,
        match_order.is_tester or match_order.user_id = any(:'testers'::text[]) as is_tester
    from match_candidate
    inner join match_order on match_order.order_id = match_candidate.order_id
    inner join rungs on rungs.rung = match_candidate.rung
    where not exists (select 1 from match_decided where match_decided.order_id = match_candidate.order_id)
),
other_claimant as (
    select match_candidate.charge_id, min(match_order.user_id) as first_user, max(match_order.user_id) as last_user
    from match_candidate
    inner join match_order on match_order.order_id = match_candidate.order_id
    where match_candidate.rung in (select rungs.rung from rungs where rungs.is_claim)
        and match_candidate.charge_id is not null
    group by match_candidate.charge_id
),
judged as (
    select
        claim.order_id,
        claim.rung,
        claim.charge_id,
        claim.evidence_sha256,
        claim.purchased_at,
        claim.is_delivered,
        claim.is_tester,
        holder.order_id as counterpart,
        claim.is_claim as is_explicit,
        case
            -- Two users only quarrel about what they name; a token or a period names nothing by itself. Where an order has the
            -- charge, it is with its user that a claim quarrels: what a third one claims makes nobody a suspect of their own.
            when claim.is_claim
                and coalesce(claim.refusal, 'USER_DIFF') in ('USER_DIFF', 'PRODUCT_DIFF', 'LATE_VERIFICATION')
                and (
                    holder.user_id <> claim.user_id
                    or (
                        holder.order_id is null
                        and (other_claimant.first_user <> claim.user_id or other_claimant.last_user <> claim.user_id)
                    )
                ) then 'REPLAY_MULTI_USER'
            -- Another order of the same user has the charge. It was delivered twice only where both orders were delivered; a cart is no
            -- difference, and any other order stays without a charge.
            when coalesce(claim.refusal, 'LATE_VERIFICATION') = 'LATE_VERIFICATION' and holder.user_id = claim.user_id
                then case
                    when claim.is_delivered and holder.is_delivered then 'DUP_DELIVERY'
                    when claim.standing = 2 then coalesce(claim.refusal, 'ORDER_NO_TX')
                end
            else claim.refusal
        end as class
    from claim
    left join holder on holder.charge_id = claim.charge_id
    left join other_claimant on other_claimant.charge_id = claim.charge_id
),
naming as (
    select distinct order_id
    from judged
    where is_explicit
        and charge_id is not null
        and class is not null
),
showing as (
    select distinct judged.order_id
    from judged
    where judged.is_explicit
        and judged.charge_id is not null
        and judged.class is not null
        and not exists (
            select 1
            from match_evidence
            where match_evidence.order_id = judged.order_id
                and match_evidence.charge_id = judged.charge_id
                and match_evidence.is_listed
                and judged.rung = 'M5'
        )
)
select distinct on (judged.order_id)
    judged.order_id,
    judged.class,
    judged.rung,
    judged.charge_id,
    judged.evidence_sha256,
    judged.counterpart,
    judged.is_explicit
from judged
inner join break_classes on break_classes.class = judged.class
left join naming on naming.order_id = judged.order_id
left join showing on showing.order_id = judged.order_id
where judged.class is not null
    -- What is not genuine says less than why the genuine purchase that the order names was refused.
    and (judged.charge_id is not null or naming.order_id is null)
order by
    judged.order_id,
    -- A sandbox purchase for which nothing was delivered is no difference, unless it is why a tester paid nothing.
    judged.class = 'SANDBOX_IN_PROD' and not judged.is_delivered and not judged.is_tester,
    -- Nor does the period that its date falls in say why the one purchase that an order shows was refused.
    judged.rung = 'M4' and showing.order_id is not null,
    break_classes.priority, judged.rung, judged.purchased_at, judged.charge_id, judged.evidence_sha256,
    judged.counterpart;
