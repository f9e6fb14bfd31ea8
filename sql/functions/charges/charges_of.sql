-- purpose: Returns Apple's statements about some charges, by the ids under which they were reported. Looked up one by one,
--          whatever the planner's estimates.
-- parameters: chains, charge_ids: original transaction ids and charge ids, parallel arrays
-- grain:   one row per transaction and evidence item
create or replace function payrecon.stated_transactions(chains text[], charge_ids text[]) returns setof payrecon.transactions
language plpgsql stable parallel safe rows 1000
set plan_cache_mode = force_custom_plan
set enable_hashjoin = off
set enable_mergejoin = off
set enable_nestloop = on
as $$
begin
    return query
    select transactions.*
    from unnest(chains, charge_ids) as wanted (original_transaction_id, charge_id)
    inner join payrecon.transactions using (original_transaction_id, charge_id);
end
$$;

-- purpose: Returns charges computed from all statements about them up to a clock; the only definition of a charge's state. A
--          field that the newest statement lacks is taken from the newest statement that has it. Only sources that can
--          report a refund are used for refunds. A signed transaction reports its presence or absence. A row of a receipt or
--          of a verifyReceipt answer counts only with a cancellation: these sources never report all refunds, and the
--          cancellation of an upgraded period is the upgrade.
-- parameters: clock: latest knowledge; chains, stated_ids: parallel arrays of charges as reported; without stated_ids all
--          charges of the chains, without chains all charges
-- grain:   one row per charge
create or replace function payrecon.charges_of(clock timestamptz, chains text[], stated_ids text[])
returns setof payrecon.charges
language plpgsql stable parallel safe rows 1000
-- Looks up few keys of a large table.
set plan_cache_mode = force_custom_plan
set enable_nestloop = on
as $$
#variable_conflict use_column
begin
    return query
    with candidate as materialized (select candidates.* from payrecon.charge_candidates_at(clock, chains) as candidates),
    requested as (
        select wanted.original_transaction_id, wanted.charge_id
        from unnest(chains, stated_ids) as wanted (original_transaction_id, charge_id)
        where stated_ids is not null
        union
        -- A period may have belonged to another charge until now, so all its possible charges are rebuilt.
        select candidate.original_transaction_id, candidate_charge.charge_id
        from candidate
        cross join lateral (values (candidate.stated_id), (candidate.charge_id)) as candidate_charge (charge_id)
        where stated_ids is not null
    ),
    looked_up as materialized (
        select transactions.*
        from payrecon.stated_transactions(
            array(select requested.original_transaction_id from requested order by requested.original_transaction_id, requested.charge_id),
            array(select requested.charge_id from requested order by requested.original_transaction_id, requested.charge_id)
        ) as transactions
    ),
    known as (
        select looked_up.* from looked_up
        union all
        select transactions.*
        from payrecon.transactions
        where stated_ids is null
            and (chains is null or transactions.original_transaction_id = any(chains))
    ),
    statement as (
        select
            known.*,
            coalesce(alias.charge_id, known.charge_id) as gathered_id,
            count(*) over (
                partition by known.original_transaction_id, coalesce(alias.charge_id, known.charge_id)
            ) as statement_count,
            case when known.stated_in = 'transaction' or not known.is_upgraded then known.revoked_at end as own_revoked_at
        from known
        left join candidate as alias
            on alias.original_transaction_id = known.original_transaction_id
            and alias.stated_id = known.charge_id
            and alias.is_chosen
        where known.batch_id not in (select batches.batch_id from payrecon.batches where batches.known_at > clock)
    ),
    several as (
        select
            statement.*,
            statement.revoked_at is not null
            and (statement.stated_in = 'transaction' or not bool_or(statement.is_upgraded) over whole) as is_revoking,
            statement.revoked_at is null and statement.stated_in = 'transaction' as is_clearing
        from statement
        where statement.statement_count > 1
        window whole as (partition by statement.original_transaction_id, statement.gathered_id)
    ),
    -- If two statements were signed in the same millisecond, the one with the refund counts as later.
    judged as (
        select
            several.*,
            -- 1 for the newest statement.
            row_number() over newest_first as age_rank,
            max(several.signed_at) filter (where several.is_revoking) over whole as last_revoking_at,
            -- A refund that no later signature cleared.
            several.is_revoking
            and coalesce(several.signed_at >= max(several.signed_at) filter (where several.is_clearing) over whole, true) as is_standing,
            -- The refunded amount belongs to one refund: the one reported last.
            (
                array_agg(several.revoked_at) filter (where several.is_revoking and several.stated_in = 'transaction')
                over newest_first
            )[1] as reported_revoked_at,
            (array_agg(several.revocation_percentage) filter (where several.is_revoking) over newest_first)[1] as reported_percentage,
            (array_agg(several.items_refunded_milliunits) filter (where several.is_revoking) over newest_first)[1] as reported_items
        from several
        window
            whole as (partition by several.original_transaction_id, several.gathered_id),
            newest_first as (
                partition by several.original_transaction_id, several.gathered_id
                order by several.signed_at desc, several.evidence_sha256 desc
                rows between unbounded preceding and unbounded following
            )
    ),
    -- Most charges have a single statement, so only the others are aggregated.
    gathered as (
        select
            original_transaction_id, gathered_id, environment, bundle_id, product_id, type, ownership, web_order_line_item_id,
            app_account_token, storefront, currency, subscription_group, offer_discount_type, offer_type, quantity,
            price_milliunits,
            array[transaction_id] as transaction_ids,
            batch_id,
            transaction_reason = 'RENEWAL' as is_said_renewal,
            transaction_id = original_transaction_id as has_original,
            is_upgraded, purchased_at, original_purchased_at, expires_at,
            own_revoked_at as revoked_at, revocation_type, revocation_percentage, items_refunded_milliunits,
            null::timestamptz as reversed_at,
            signed_at,
            own_revoked_at as first_revoked_at, own_revoked_at as refunded_since
        from statement
        where statement_count = 1
        union all
        select
            original_transaction_id, gathered_id,
            min(environment),
            min(bundle_id),
            (array_agg(product_id order by age_rank))[1],
            (array_agg(type order by age_rank) filter (where type is not null))[1],
            (array_agg(ownership order by age_rank) filter (where ownership is not null))[1],
            (array_agg(web_order_line_item_id order by age_rank) filter (where web_order_line_item_id is not null))[1],
            (array_agg(app_account_token order by age_rank) filter (where app_account_token is not null))[1],
            (array_agg(storefront order by age_rank) filter (where storefront is not null))[1],
            (array_agg(currency order by age_rank) filter (where currency is not null))[1],
            (array_agg(subscription_group order by age_rank) filter (where subscription_group is not null))[1],
            (array_agg(offer_discount_type order by age_rank) filter (where offer_discount_type is not null))[1],
            -- Receipts distinguish fewer kinds of offers.
            (array_agg(offer_type order by (stated_in = 'transaction') desc, age_rank) filter (where offer_type is not null))[1],
            (array_agg(quantity order by age_rank) filter (where quantity is not null))[1],
            (array_agg(price_milliunits order by age_rank) filter (where price_milliunits is not null))[1],
            array_agg(distinct transaction_id order by transaction_id),
            min(batch_id),
            bool_or(transaction_reason = 'RENEWAL'),
            bool_or(transaction_id = original_transaction_id),
            bool_or(is_upgraded),
            min(purchased_at),
            min(original_purchased_at),
            (array_agg(expires_at order by age_rank) filter (where expires_at is not null))[1],
            (array_agg(revoked_at order by age_rank) filter (where is_standing))[1],
            (array_agg(revocation_type order by age_rank) filter (where is_standing and revocation_type is not null))[1],
            (
                array_agg(revocation_percentage order by age_rank)
                filter (where is_standing and revocation_percentage is not null and revoked_at = reported_revoked_at)
            )[1],
            (
                array_agg(items_refunded_milliunits order by age_rank)
                filter (where is_standing and items_refunded_milliunits is not null and revoked_at = reported_revoked_at)
            )[1],
            min(signed_at) filter (where is_clearing and signed_at > last_revoking_at),
            max(signed_at),
            -- A repeated instant is no further refund, unless the refund was reversed in between.
            min(revoked_at) filter (where is_standing),
            -- A later refund of the same part of the price is none either; one of another part is.
            min(revoked_at) filter (
                where is_standing
                and (revocation_percentage, items_refunded_milliunits) is not distinct from (reported_percentage, reported_items)
            )
        from judged
        group by original_transaction_id, gathered_id
    )
    select
        gathered.original_transaction_id, gathered.gathered_id, gathered.environment, gathered.bundle_id, gathered.product_id,
        filled.type,
        case
            when filled.ownership <> 'PURCHASED' then 'family'
            when gathered.revoked_at is not null and case
                when gathered.items_refunded_milliunits is null then gathered.revocation_percentage < 100000
                else gathered.items_refunded_milliunits < filled.price_milliunits
            end then 'partly_refunded'
            when gathered.revoked_at is not null then 'refunded'
            when filled.price_milliunits = 0 then 'free'
            else 'charged'
        end,
        filled.ownership, gathered.web_order_line_item_id, gathered.app_account_token, gathered.storefront, gathered.currency,
        case when gathered.revoked_at is not null then gathered.revocation_type end,
        gathered.transaction_ids,
        coalesce(gathered.quantity, 1),
        gathered.offer_type, filled.price_milliunits,
        case
            when gathered.revoked_at is null or filled.ownership <> 'PURCHASED' then 0
            else payrecon.refunded_milliunits(
                filled.price_milliunits, gathered.revocation_percentage, gathered.currency, gathered.items_refunded_milliunits
            )
        end,
        gathered.batch_id,
        filled.type = 'auto_renewable' and coalesce(gathered.is_said_renewal, not gathered.has_original),
        gathered.is_upgraded,
        -- A restored purchase has a new instant and was paid at its original one.
        case
            when filled.type = 'auto_renewable' then gathered.purchased_at
            else least(gathered.purchased_at, gathered.original_purchased_at)
        end,
        gathered.expires_at, gathered.revoked_at, gathered.reversed_at, gathered.signed_at, gathered.subscription_group,
        gathered.first_revoked_at, gathered.refunded_since
    from gathered
    -- Fields that no statement has are filled.
    cross join lateral (
        select
            coalesce(
                gathered.type,
                -- A line item or an expiry implies a subscription. Without either and without a type, consumables are the
                -- most likely.
                case
                    when gathered.web_order_line_item_id is not null or gathered.expires_at is not null
                        then 'auto_renewable'
                    else 'consumable'
                end
            ) as type,
            -- Only Apple's exact value means shared; an unknown value must not hide money.
            case when gathered.ownership = 'FAMILY_SHARED' then 'FAMILY_SHARED' else 'PURCHASED' end as ownership,
            -- A free trial costs nothing, whether or not a statement has a price.
            coalesce(
                gathered.price_milliunits, case when gathered.offer_discount_type = 'FREE_TRIAL' then 0 end
            ) as price_milliunits
    ) as filled;
end
$$;
