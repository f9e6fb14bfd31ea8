-- purpose: stored receipts to send to Apple again: the newest of each subscription that ends soon or ended lately,
--          receipts that only Apple can verify, and receipts named by an order without a charge.
-- parameters: bundle_id (text), ends_from, ends_to (timestamptz): range of the subscriptions' ends, since (timestamptz):
--             earliest receipt and order, asked_before (timestamptz): later requested receipts are left out, after_sha256
--             (text), row_max, byte_max (bigint), chains (text[]): only receipts of these subscriptions; empty takes all
-- grain:   one row per receipt, ordered by hash, with the outcome of its last request
with ending as materialized (
    select charges.original_transaction_id
    from charges
    where charges.bundle_id = :'bundle_id'::text
        and charges.expires_at >= :'ends_from'::timestamptz
        and charges.expires_at < :'ends_to'::timestamptz
        and (cardinality(:'chains'::text[]) = 0 or charges.original_transaction_id = any(:'chains'::text[]))
        and charges.revoked_at is null
        and not charges.is_upgraded
        and not exists (
            select 1
            from charges as later
            where later.original_transaction_id = charges.original_transaction_id
                and later.environment = charges.environment
                and later.bundle_id = charges.bundle_id
                and later.expires_at > charges.expires_at
                and later.revoked_at is null
                and not later.is_upgraded
        )
),
-- Each step joins one large table with the rows of earlier steps, as a server with several nodes requires.
-- Rows of receipts: genuine receipts have transactions, pending ones have only evidence.
receipt_row as materialized (
    select transactions.original_transaction_id, transactions.transaction_id, transactions.evidence_sha256
    from ending
    inner join transactions on transactions.original_transaction_id = ending.original_transaction_id
    where transactions.bundle_id = :'bundle_id'::text
),
item as materialized (
    select receipt_row.original_transaction_id, receipt_row.evidence_sha256 as sha256
    from receipt_row
    union
    select receipt_row.original_transaction_id, evidence.sha256
    from receipt_row
    inner join evidence
        on evidence.transaction_id = receipt_row.transaction_id
        and evidence.bundle_id = :'bundle_id'::text
        and evidence.verdict <> 'genuine'
),
holding as materialized (
    select item.original_transaction_id as customer, evidence_links.parent_sha256 as sha256
    from item
    inner join evidence_links on evidence_links.sha256 = item.sha256
),
-- Receipts that only Apple can verify, and those of orders without a charge. Empty if subscriptions are named.
unlinked as materialized (
    select evidence.sha256
    from judged_evidence as evidence
    where evidence.bundle_id = any(case when cardinality(:'chains'::text[]) = 0 then array[:'bundle_id'::text] else '{}' end)
        and evidence.first_verdict <> 'genuine'
        and evidence.verdict = 'pending'
        and evidence.reason ->> 'key' = 'word.needs_verify_receipt'
        and evidence.received_at >= :'since'::timestamptz
    union
    select orders.evidence_sha256
    from orders
    where orders.bundle_id = any(case when cardinality(:'chains'::text[]) = 0 then array[:'bundle_id'::text] else '{}' end)
        and orders.created_at >= :'since'::timestamptz
        and orders.evidence_sha256 is not null
        and not exists (select 1 from matched_orders where matched_orders.order_id = orders.order_id)
),
progress as not materialized (
    select collections.subject, collections.cursor, collections.collected_to
    from collections
    where collections.job = 'receipts'
        and collections.bundle_id = :'bundle_id'::text
        and collections.environment = ''
),
candidate as materialized (
    select holding.customer, holding.sha256 from holding
    union
    select encode(unlinked.sha256, 'hex'), unlinked.sha256
    from unlinked
    left join progress on progress.subject = encode(unlinked.sha256, 'hex')
    where coalesce(progress.cursor, '') <> 'answered'
),
newest as materialized (
    select distinct on (candidate.customer) evidence.sha256
    from candidate
    inner join judged_evidence as evidence on evidence.sha256 = candidate.sha256
    where evidence.bundle_id = :'bundle_id'::text
        and evidence.kind = 'receipt'
        and (
            evidence.verdict = 'genuine'
            or (evidence.verdict = 'pending' and evidence.reason ->> 'key' = 'word.needs_verify_receipt')
        )
    order by
        candidate.customer, coalesce(evidence.signed_at, evidence.received_at) desc, evidence.received_at desc,
        evidence.sha256
),
wanted as materialized (
    select distinct newest.sha256, coalesce(progress.cursor, '') as state
    from newest
    left join progress on progress.subject = encode(newest.sha256, 'hex')
    where newest.sha256 > decode(:'after_sha256'::text, 'hex')
        and (progress.collected_to is null or progress.collected_to < :'asked_before'::timestamptz)
        -- Apple's answer on these is final.
        and coalesce(progress.cursor, '') not like 'final %'
    order by newest.sha256
    limit :'row_max'::bigint
)
select encode(page.sha256, 'hex') as sha256, page.state, page.body
from (
    select
        wanted.sha256, wanted.state, evidence.body,
        sum(length(evidence.body)) over (order by wanted.sha256) as byte_count,
        row_number() over (order by wanted.sha256) as place
    from wanted
    inner join judged_evidence as evidence on evidence.sha256 = wanted.sha256
) as page
where page.byte_count <= :'byte_max'::bigint
    or page.place = 1
order by page.sha256;
