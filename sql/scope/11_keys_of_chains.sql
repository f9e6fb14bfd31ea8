-- purpose: everything by which the transactions of a round's chains reach others. An order may name the receipt, the answer or the
--          notification in which a transaction lies; as few orders do, that evidence is told apart.
-- parameters: round (integer)
-- grain:   one row per key; scope_told one row per piece of evidence that tells of a chain
with told as materialized (
    select
        transactions.app_account_token, transactions.transaction_id, transactions.web_order_line_item_id,
        transactions.original_transaction_id, transactions.evidence_sha256
    from scope_chain
    inner join transactions on transactions.original_transaction_id = scope_chain.original_transaction_id
    where scope_chain.round = :'round'::integer
),
container as materialized (
    select distinct evidence_links.parent_sha256 as sha256
    from told
    inner join evidence_links on evidence_links.sha256 = told.evidence_sha256
),
telling as (
    insert into scope_told (sha256, round)
    select told.evidence_sha256, :'round'::integer
    from told
    union all
    select container.sha256, :'round'::integer
    from container
    union all
    select evidence_links.parent_sha256, :'round'::integer
    from container
    inner join evidence_links on evidence_links.sha256 = container.sha256
)
insert into scope_key (key, kind, round)
select distinct named.key, named.kind, :'round'::integer
from told
cross join lateral (
    values
        (told.app_account_token, 'token'), (told.transaction_id, 'transaction_id'),
        (told.web_order_line_item_id, 'line_item'), (told.original_transaction_id, 'original')
) as named (key, kind)
where named.key is not null
order by 1, 2
on conflict do nothing;
