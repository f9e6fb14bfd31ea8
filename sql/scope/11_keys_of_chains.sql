-- purpose: everything by which the transactions of a round's chains reach others.
-- parameters: round (integer)
-- grain:   one row per key
insert into scope_key (key, kind, round)
with told as materialized (
    select
        transactions.app_account_token, transactions.transaction_id, transactions.web_order_line_item_id,
        transactions.original_transaction_id, transactions.evidence_sha256
    from scope_chain
    inner join transactions on transactions.original_transaction_id = scope_chain.original_transaction_id
    where scope_chain.round = :'round'::integer
),
-- An order may name the receipt, the answer or the notification in which a transaction lies.
container as materialized (
    select distinct evidence_links.parent_sha256 as sha256
    from told
    inner join evidence_links on evidence_links.sha256 = told.evidence_sha256
)
select named.key, named.kind, :'round'::integer
from told
cross join lateral (
    values
        (told.app_account_token, 'token'), (told.transaction_id, 'transaction_id'),
        (told.web_order_line_item_id, 'line_item'), (told.original_transaction_id, 'original'),
        (told.evidence_sha256, 'chain_evidence')
) as named (key, kind)
where named.key is not null
union
select container.sha256, 'chain_evidence', :'round'::integer
from container
union
select evidence_links.parent_sha256, 'chain_evidence', :'round'::integer
from container
inner join evidence_links on evidence_links.sha256 = container.sha256
order by 1, 2
on conflict do nothing;
