-- purpose: Returns the later ends of subscription periods that Apple reported up to the requested clock. Table names are
--          unqualified, so that it reads the present or the transaction's past clock.
-- grain:   one row per Production charge with a reported end. ends_at is the latest end, sold_until the first one that a
--          transaction of the charge states, and extensions has each end as a term that begins with its statement
-- rules:   dates during grace and billing retry are no extension, since a charge is still pending. Receipts truncate instants to
--          the second.
create or replace function payrecon.term_extensions() returns table (
    original_transaction_id text, charge_id text, ends_at timestamptz, sold_until timestamptz, extensions text
)
language sql stable parallel safe
as $$
    with period as (
        select
            charges.original_transaction_id, charges.charge_id, charges.bundle_id, charges.purchased_at, charges.expires_at,
            charges.is_upgraded
        from charges
        where charges.environment = 'Production'
            and charges.type = 'auto_renewable'
            and charges.state <> 'family'
    ),
    notice as (
        select infos.original_transaction_id, infos.bundle_id, infos.signed_at, infos.renewal_at, batches.known_at
        from payrecon.renewal_infos_at(payrecon.viewed_at(), null) as infos
        inner join batches on batches.batch_id = infos.batch_id
        where infos.environment = 'Production'
            and infos.renewal_at is not null
            and infos.is_in_billing_retry is not true
            and infos.grace_expires_at is null
    ),
    -- Under the charge that a period without its line item turned out to be.
    stated as not materialized (
        select
            transactions.original_transaction_id, coalesce(charge_aliases.charge_id, transactions.charge_id) as charge_id,
            transactions.signed_at, transactions.expires_at, transactions.batch_id
        from transactions
        left join charge_aliases
            on charge_aliases.original_transaction_id = transactions.original_transaction_id
            and charge_aliases.stated_id = transactions.charge_id
        where transactions.environment = 'Production'
            and transactions.type = 'auto_renewable'
    ),
    extension as (
        -- A renewal date without a period end is the extended end of the latest period.
        select
            newest.original_transaction_id, newest.charge_id, newest.signed_at, newest.renewal_at as ends_at, false as is_own,
            newest.known_at
        from (
            select distinct on (notice.original_transaction_id, notice.bundle_id, notice.signed_at, notice.renewal_at)
                period.*, notice.signed_at, notice.renewal_at, notice.known_at
            from notice
            inner join period using (original_transaction_id, bundle_id)
            where period.purchased_at <= notice.signed_at
                and not exists (
                    select 1
                    from period as ended
                    where ended.original_transaction_id = notice.original_transaction_id
                        and ended.bundle_id = notice.bundle_id
                        and ended.expires_at = notice.renewal_at
                )
            order by
                notice.original_transaction_id, notice.bundle_id, notice.signed_at, notice.renewal_at, period.purchased_at desc,
                period.is_upgraded, period.charge_id, notice.known_at
        ) as newest
        where newest.renewal_at > newest.expires_at + interval '1 minute'
        union all
        -- Apple may report a transaction again with a later end.
        select entry.original_transaction_id, entry.charge_id, entry.signed_at, entry.expires_at, true, batches.known_at
        from (
            select stated.original_transaction_id, stated.charge_id
            from stated
            group by stated.original_transaction_id, stated.charge_id
            having max(stated.expires_at) - min(stated.expires_at) > interval '1 minute'
        ) as extended_charge
        inner join period using (original_transaction_id, charge_id)
        inner join stated as entry using (original_transaction_id, charge_id)
        inner join batches on batches.batch_id = entry.batch_id
        where entry.expires_at <= period.expires_at
    )
    select
        extension.original_transaction_id, extension.charge_id, max(extension.ends_at),
        (array_agg(extension.ends_at order by extension.signed_at, extension.ends_at) filter (where extension.is_own))[1],
        string_agg(
            payrecon.dated_term(extension.signed_at, extension.ends_at, extension.known_at), ' '
            order by extension.signed_at, extension.ends_at, extension.known_at
        )
    from extension
    where extension.signed_at <= (select payrecon.viewed_at())
    group by extension.original_transaction_id, extension.charge_id
$$;
