-- purpose: Returns every charge with the term over which its money is earned, and the facts that shorten it; input of the
--          revenue schedules.
-- grain:   one row per Production charge
-- rules:   each fact has the instant at which it was first known; lists have instants in microseconds since 1970. A renewing
--          term begins with its purchase or the end of the previous period, whichever is later, and ends with its expiry. An
--          extension lengthens it from the instant at which Apple signed it; grace adds nothing. A non-renewing term lasts
--          as in the catalogue, or as its order grants. Other charges are earned on one day: the delivery, else the
--          purchase. What changes a term after the charge was known is in terms. An upgrade is the next purchase of the
--          chain. Family, free and unpriced charges carry no money.
create or replace function payrecon.scheduled_charges() returns table (
    charge_id text, transaction_id text, original_transaction_id text, web_order_line_item_id text, order_id text,
    bundle_id text, product_id text, type text, storefront text, currency text, state text, total_milliunits bigint,
    is_after_one_year boolean, extensions text, refunds text, terms text, proved text,
    known_at timestamptz, purchased_at timestamptz, term_from timestamptz, term_to timestamptz, delivered_at timestamptz,
    delivery_known_at timestamptz, upgraded_at timestamptz, upgrade_known_at timestamptz
)
language sql stable parallel safe
as $$
    -- A charge is booked when its price was first known.
    with sold as not materialized (
        select charges.*, coalesce(later_price.known_at, batches.known_at) as known_at
        from charges
        inner join batches on batches.batch_id = charges.batch_id
        left join payrecon.later_prices() as later_price using (original_transaction_id, charge_id)
        where charges.environment = 'Production'
            and charges.purchased_at <= (select payrecon.viewed_at())
    ),
    refunded as (
        select
            original_transaction_id, charge_id,
            string_agg(
                concat_ws(
                    ',', payrecon.microseconds(at), payrecon.microseconds(known_at), coalesce(standing_milliunits, 0)
                ),
                ' '
                order by step
            ) as steps,
            array_agg(known_at order by step) as known_ats, array_agg(is_refund order by step) as are_refunds
        from payrecon.refund_steps() as entry
        where at <= (select payrecon.viewed_at())
        group by original_transaction_id, charge_id
    ),
    chain as (
        select
            sold.charge_id, sold.original_transaction_id,
            min(sold.purchased_at) filter (where sold.price_milliunits > 0)
                over (partition by sold.original_transaction_id, sold.bundle_id) as first_paid_at,
            coalesce(extended.sold_until, sold.expires_at) as expires_at,
            extended.extensions, lead(sold.purchased_at) over near as next_purchased_at, lead(sold.known_at) over near as next_known_at,
            case when not lag(sold.is_upgraded) over near then lag(greatest(sold.expires_at, extended.ends_at)) over near end
                as previous_expires_at,
            lag(sold.known_at) over near as previous_known_at, lag(sold.revoked_at) over near is not null as is_after_refunded,
            lag(refunded.known_ats) over near as steps_known_at, lag(refunded.are_refunds) over near as steps_are_refunds
        from sold
        left join refunded using (original_transaction_id, charge_id)
        left join payrecon.term_extensions() as extended using (original_transaction_id, charge_id)
        where sold.type = 'auto_renewable'
        window near as (
            partition by sold.original_transaction_id, sold.bundle_id, sold.ownership
            order by sold.purchased_at, sold.charge_id
        )
    ),
    stated_share as (
        select entry.*, sum(entry.quantity) over (partition by entry.fiscal_period, entry.cell_id, entry.as_of) as units_known
        from payrecon.stated_proceeds() as entry
        inner join sold using (original_transaction_id, charge_id)
        where sold.known_at <= entry.as_of
    ),
    proved as (
        select
            original_transaction_id, charge_id,
            string_agg(
                concat_ws(
                    ',', payrecon.microseconds(as_of), least_milliunits, greatest_milliunits, basis
                ),
                ' '
                order by as_of, fiscal_period, cell_id
            ) as shares
        from stated_share
        where units_known = units
        group by original_transaction_id, charge_id
    ),
    -- The offset keeps the planner from copying the expressions of the term into each column.
    termed as (
        select
            sold.*, delivered.order_id, delivered.delivered_at, delivered.known_at as delivery_known_at,
            chain.next_purchased_at, chain.next_known_at, chain.extensions,
            coalesce(chain.first_paid_at <= sold.purchased_at - interval '1 year', false) as is_after_one_year,
            case
                when not early.has_later_facts and not chain.is_after_refunded then chain.previous_expires_at
                else sold.purchased_at
            end as term_from,
            case sold.type
                when 'auto_renewable' then chain.expires_at
                when 'non_renewing' then sold.purchased_at + catalogued.period::interval
            end as term_to,
            case
                when early.has_later_facts
                    then payrecon.terms_of_renewal(
                        sold.purchased_at, chain.previous_expires_at, chain.expires_at,
                        (chain.is_after_refunded and chain.steps_known_at is null) || chain.steps_are_refunds,
                        chain.previous_known_at || chain.steps_known_at
                    )
                -- Until an order states the term.
                when sold.type = 'non_renewing' and catalogued.known_to < 'infinity'
                    then payrecon.terms_of_periods(
                        sold.purchased_at, catalogued.periods, catalogued.known_ats, sold.known_at, pass.since
                    )
            end as later_terms,
            pass.terms, redelivered.known_ats, redelivered.delivered_ats,
            case when sold.state in ('family', 'free') then 0 else coalesce(sold.price_milliunits, 0) end as total
        from sold
        left join chain using (original_transaction_id, charge_id)
        left join payrecon.pass_terms() as pass using (original_transaction_id, charge_id)
        left join payrecon.charge_deliveries() as delivered using (original_transaction_id, charge_id)
        left join payrecon.delivery_changes() as redelivered using (original_transaction_id, charge_id)
        left join payrecon.product_periods() as catalogued
            on catalogued.bundle_id = sold.bundle_id
            and catalogued.product_id = sold.product_id
            and catalogued.known_from <= sold.known_at
            and catalogued.known_to > sold.known_at
        -- A renewal may be charged before the previous period ends, which may become known later, or a refund of it.
        cross join lateral (
            select
                case
                    when chain.previous_expires_at > sold.purchased_at and chain.previous_expires_at < chain.expires_at
                        then greatest(chain.previous_known_at, chain.steps_known_at[cardinality(chain.steps_known_at)]) > sold.known_at
                end as has_later_facts
        ) as early
        offset 0
    ),
    dated as (
        select
            termed.*, coalesce(term_to > term_from, false) as has_term,
            case
                when not coalesce(term_to > term_from, false) and later_terms is null and terms is null
                    and delivered_ats is not null
                    then payrecon.terms_of_deliveries(purchased_at, delivered_ats, known_ats)
            end as deliveries
        from termed
    )
    select
        dated.charge_id, dated.transaction_ids[1], dated.original_transaction_id, dated.web_order_line_item_id, dated.order_id,
        dated.bundle_id, dated.product_id, dated.type, coalesce(dated.storefront, ''), coalesce(dated.currency, ''),
        case
            when dated.state in ('family', 'free') then dated.state
            when dated.price_milliunits is null then 'unpriced'
            when dated.reversed_at is not null and dated.revoked_at is null then 'restored'
            else 'money'
        end,
        dated.total, dated.is_after_one_year,
        case when dated.has_term then dated.extensions end,
        case when dated.total > 0 then refunded.steps end,
        nullif(concat_ws(' ', dated.later_terms, dated.terms, dated.deliveries), ''), proved.shares, dated.known_at, dated.purchased_at,
        case when dated.has_term then dated.term_from end, case when dated.has_term then dated.term_to end,
        case when not dated.has_term then dated.delivered_at end,
        case when not dated.has_term and dated.delivered_at is not null then dated.delivery_known_at end,
        case when dated.is_upgraded and dated.next_purchased_at < dated.term_to then dated.next_purchased_at end,
        case when dated.is_upgraded and dated.next_purchased_at < dated.term_to then dated.next_known_at end
    from dated
    left join proved using (original_transaction_id, charge_id)
    left join refunded using (original_transaction_id, charge_id)
$$;
