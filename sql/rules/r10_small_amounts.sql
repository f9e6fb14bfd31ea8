-- purpose: R10 small-amount trick: Apple accepts small amounts before funds are checked. The user makes many such purchases
--          that are then refunded or never collected.
-- traps:   many small purchases alone are normal for a player; a minimum share must be refunded or uncollected.
-- parameters: window (interval), purchases_min, uncollected_percent, listed_max
--             (bigint), amounts (text[]): CUR:thousandths up to which an amount is small
-- grain:   one signal per user (merged accounts are one)
insert into signal_found (
    rule, subject_kind, subject_id, bundle_id, currency, amount_milliunits, score, happened_at, detail, inputs
)
with small as (
    select
        rule_sale.*,
        rule_sale.state in ('refunded', 'partly_refunded') or uncollected.charge_id is not null as is_lost
    from unnest(:'amounts'::text[]) as entry
    inner join rule_sale on rule_sale.currency = split_part(entry, ':', 1)
    left join (
        select distinct rule_break.charge_id from rule_break where rule_break.class = 'NEVER_COLLECTED'
    ) as uncollected on uncollected.charge_id = rule_sale.charge_id
    where rule_sale.price_milliunits > 0
        and rule_sale.price_milliunits <= split_part(entry, ':', 2)::bigint
        and rule_sale.person is not null
        and not rule_sale.is_renewal
        and not rule_sale.is_tester
),
suspect as (
    select person
    from small
    group by person
    having count(*) >= :'purchases_min'::bigint
        and count(*) filter (where is_lost) > 0
),
counted as (
    select
        small.*,
        count(*) over in_window as purchase_count,
        count(*) filter (where small.is_lost) over in_window as lost_count,
        sum(small.price_milliunits) filter (where small.is_lost) over in_window as lost_milliunits,
        min(small.purchased_at) over in_window as from_at
    from suspect
    inner join small on small.person = suspect.person
    window in_window as (
        partition by small.person, small.currency order by small.purchased_at
        range between :'window'::interval preceding and current row
    )
),
burst as (
    select distinct on (person) counted.*
    from counted
    where purchase_count >= :'purchases_min'::bigint
        and lost_count * 100 >= purchase_count * :'uncollected_percent'::bigint
    order by person, lost_count desc, purchased_at, charge_id
)
select
    'R10',
    'user',
    burst.user_id,
    burst.bundle_id,
    burst.currency,
    burst.lost_milliunits,
    burst.lost_count,
    burst.purchased_at,
    phrase('detail.small_purchases', jsonb_build_object('count', burst.purchase_count, 'lost', burst.lost_count)),
    json_build_object(
        'purchases', burst.purchase_count, 'lost', burst.lost_count, 'lost_milliunits', burst.lost_milliunits,
        'currency', burst.currency, 'from', rfc3339(burst.from_at), 'to', rfc3339(burst.purchased_at),
        'charge_ids', (
            select json_agg(listed.charge_id order by listed.purchased_at, listed.charge_id)
            from (
                select counted.charge_id, counted.purchased_at
                from counted
                where counted.person = burst.person
                    and counted.currency = burst.currency
                    and counted.is_lost
                    and counted.purchased_at between burst.from_at and burst.purchased_at
                order by counted.purchased_at, counted.charge_id
                limit :'listed_max'::bigint
            ) as listed
        )
    )::text
from burst;
