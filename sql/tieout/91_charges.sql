-- purpose: our charges of the period that no order has, and refunds of the period whose sale lies in it, too.
-- parameters: none
-- grain:   tie_sum one row per currency and kind
create temp table tie_sum on commit drop as
with sold as (
    select
        coalesce(charges.currency, '') as currency, charges.price_milliunits, charges.refunded_milliunits, charges.state,
        charges.revoked_at, tie_offset.offset_hours, (select starts_on from tie_run) as starts_on,
        (select ends_on from tie_run) as ends_on, matches.charge_id is not null as is_matched
    from charges
    inner join tie_offset on tie_offset.storefront = coalesce(charges.storefront, '')
    left join matches
        on matches.original_transaction_id = charges.original_transaction_id
        and matches.charge_id = charges.charge_id
    where charges.environment = 'Production'
        and charges.state in ('charged', 'refunded', 'partly_refunded')
        and charges.price_milliunits > 0
        and charges.purchased_at >= (select starts_on::timestamp at time zone 'UTC' - interval '1 day' from tie_run)
        and charges.purchased_at < (select ends_on::timestamp at time zone 'UTC' + interval '2 days' from tie_run)
        and charges.purchased_at <= (select as_of from tie_run)
        and ((charges.purchased_at at time zone 'UTC') + tie_offset.offset_hours * interval '1 hour')::date
            between (select starts_on from tie_run) and (select ends_on from tie_run)
)
select currency, 'unmatched' as kind, count(*) as count, sum(price_milliunits)::numeric / 1000 as amount
from sold
where not is_matched
group by currency
union all
select currency, 'refunded', count(*), sum(refunded_milliunits)::numeric / 1000
from sold
where state <> 'charged'
    and revoked_at is not null
    and ((revoked_at at time zone 'UTC') + offset_hours * interval '1 hour')::date between starts_on and ends_on
group by currency;
