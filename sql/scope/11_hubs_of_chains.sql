-- purpose: everything by which the transactions of a round's chains reach others.
-- parameters: round (integer)
-- grain:   one row per key
insert into scope_hub (key, kind, round)
select distinct link.key, link.kind, :'round'::integer + 1
from scope_chain
inner join transactions on transactions.original_transaction_id = scope_chain.original_transaction_id
cross join lateral (
    values
        (transactions.app_account_token, 'token'), (transactions.transaction_id, 'transaction_id'),
        (transactions.web_order_line_item_id, 'line_item'), (transactions.original_transaction_id, 'original'),
        (transactions.evidence_sha256, 'chain_evidence')
) as link (key, kind)
where scope_chain.round = :'round'::integer
    and link.key is not null
union
-- An order may name the receipt, the answer or the notification in which a transaction lies.
select evidence_links.parent_sha256, 'chain_evidence', :'round'::integer + 1
from scope_chain
inner join transactions on transactions.original_transaction_id = scope_chain.original_transaction_id
inner join evidence_links on evidence_links.sha256 = transactions.evidence_sha256
where scope_chain.round = :'round'::integer
union
select evidence_links.parent_sha256, 'chain_evidence', :'round'::integer + 1
from scope_chain
inner join transactions on transactions.original_transaction_id = scope_chain.original_transaction_id
inner join evidence_links as link on link.sha256 = transactions.evidence_sha256
inner join evidence_links on evidence_links.sha256 = link.parent_sha256
where scope_chain.round = :'round'::integer
order by 1, 2
on conflict do nothing;
