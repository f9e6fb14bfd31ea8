-- purpose: takes back what was granted before a chain's owner was known: what is another user's, as two users cannot
--          both own a subscription; and what stands in the way of a claim that holds now, which 90_grant puts first.
-- grain:   one match taken back
with strangers as materialized (
    select match_decided.order_id, match_decided.charge_id
    from match_decided
    inner join match_candidate
        on match_candidate.order_id = match_decided.order_id
        and match_candidate.charge_id = match_decided.charge_id
        and match_candidate.rung = match_decided.rung
    where match_candidate.refusal = 'USER_DIFF'
),
-- What the run does not look at closer was there before.
held as materialized (
    select
        match_decided.rung,
        match_decided.order_id,
        match_decided.charge_id,
        coalesce(match_order.standing, 2) as standing,
        coalesce(match_order.created_at, '-infinity') as created_at,
        coalesce(match_charge.ownership = 'FAMILY_SHARED', false) as is_family,
        coalesce(match_charge.purchased_at, '-infinity') as purchased_at
    from match_decided
    left join match_order on match_order.order_id = match_decided.order_id
    left join match_charge on match_charge.charge_id = match_decided.charge_id
    where not exists (
        select 1
        from strangers
        where strangers.order_id = match_decided.order_id
            and strangers.charge_id = match_decided.charge_id
    )
),
better as materialized (
    select
        claim.order_id,
        claim.charge_id,
        row_number() over (
            partition by claim.charge_id order by claim.rung, match_order.standing desc, claim.created_at, claim.order_id
        ) as place_at_charge,
        row_number() over (
            partition by claim.order_id
            order by claim.rung, match_charge.ownership = 'FAMILY_SHARED', claim.purchased_at, claim.charge_id
        ) as place_at_order
    from match_candidate as claim
    inner join match_order on match_order.order_id = claim.order_id
    inner join match_charge on match_charge.charge_id = claim.charge_id
    left join held as own on own.order_id = claim.order_id
    left join held as rival on rival.charge_id = claim.charge_id
    where claim.rung in (select rungs.rung from rungs where rungs.is_claim)
        and claim.refusal is null
        and (
            own.order_id is null
            or (claim.rung, match_charge.ownership = 'FAMILY_SHARED', claim.purchased_at, claim.charge_id)
            < (own.rung, own.is_family, own.purchased_at, own.charge_id)
        )
        and (
            rival.order_id is null
            or (claim.rung, -match_order.standing, claim.created_at, claim.order_id)
            < (rival.rung, -rival.standing, rival.created_at, rival.order_id)
        )
),
first as (
    select order_id, charge_id
    from better
    where place_at_charge = 1
        and place_at_order = 1
),
wrong as (
    select strangers.order_id, strangers.charge_id
    from strangers
    union
    select held.order_id, held.charge_id
    from held
    inner join first on first.order_id = held.order_id
    union
    select held.order_id, held.charge_id
    from held
    inner join first on first.charge_id = held.charge_id
)
delete from match_decided
using wrong
where wrong.order_id = match_decided.order_id
    and wrong.charge_id = match_decided.charge_id;
