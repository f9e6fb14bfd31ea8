-- purpose: writes the keys by which a charge can be found, once, and the claims that uploads make on it.
-- parameters: batch_id (bigint)
-- grain:   one row per charge and key
insert into match_keys (key, kind, side, id, route, batch_id)
with alias as materialized (
    select aliases.*
    from (select array_agg(staged_transaction.original_transaction_id) as chains from staged_transaction) as told
    cross join lateral charge_aliases_at('infinity', told.chains) as aliases
    where told.chains is not null
),
alias_told as materialized (
    select alias.charge_id, alias.original_transaction_id, transactions.transaction_id, transactions.evidence_sha256
    from alias
    inner join transactions
        on transactions.original_transaction_id = alias.original_transaction_id
        and transactions.charge_id = alias.told_id
)
select distinct charge_key.key, charge_key.kind, 'charge', charge_key.id, charge_key.route, :'batch_id'::bigint
from (
    select transaction_key.key, transaction_key.kind, staged_transaction.charge_id as id,
        staged_transaction.original_transaction_id as route
    from staged_transaction
    inner join told_evidence on told_evidence.sha256 = staged_transaction.evidence_sha256
    cross join lateral (
        values
            (staged_transaction.transaction_id, 'transaction_id'),
            (staged_transaction.web_order_line_item_id, 'line_item'),
            (
                case when staged_transaction.type <> 'auto_renewable' then staged_transaction.original_transaction_id end,
                'original'
            )
    ) as transaction_key (key, kind)
    where transaction_key.key is not null
    union all
    select staged_evidence.order_id, 'order_id', staged_evidence.charge_id, staged_evidence.original_transaction_id
    from staged_evidence
    where staged_evidence.order_id <> ''
        and staged_evidence.charge_id is not null
        and staged_evidence.verdict = 'genuine'
    union all
    select uploads.order_id, 'order_id', staged_evidence.charge_id, staged_evidence.original_transaction_id
    from risen_evidence
    inner join staged_evidence
        on staged_evidence.sha256 = risen_evidence.sha256
        and staged_evidence.item = risen_evidence.item
    inner join uploads on uploads.sha256 = risen_evidence.sha256
    where uploads.order_id <> ''
        and staged_evidence.charge_id is not null
    union all
    -- By whatever a period was told without line item, its charge is found.
    select alias_told.transaction_id, 'transaction_id', alias_told.charge_id, alias_told.original_transaction_id
    from alias_told
    union all
    select uploads.order_id, 'order_id', alias_told.charge_id, alias_told.original_transaction_id
    from alias_told
    inner join uploads on uploads.sha256 = alias_told.evidence_sha256
    where uploads.order_id <> ''
) as charge_key
order by charge_key.key, charge_key.kind
on conflict do nothing;
