-- purpose: Adds the keys that connect the facts of a round with others, and the chains of its evidence; one step of a
--          scope.
create or replace function payrecon.scope_keys(this_round integer) returns void
language plpgsql volatile
as $$
begin
    -- An order may name the receipt, answer or notification that contains a transaction; since few orders do, that evidence is
    -- handled separately.
    with chain_transaction as materialized (
        select
            transactions.app_account_token, transactions.transaction_id, transactions.web_order_line_item_id,
            transactions.original_transaction_id, transactions.evidence_sha256
        from scope_chain
        inner join transactions on transactions.original_transaction_id = scope_chain.original_transaction_id
        where scope_chain.round = this_round
    ),
    container as materialized (
        select distinct evidence_links.parent_sha256 as sha256
        from chain_transaction
        inner join evidence_links on evidence_links.sha256 = chain_transaction.evidence_sha256
    ),
    -- All versions of the orders count, also those after a past clock: a larger scope decides the same.
    order_version as materialized (
        select order_keys.*
        from scope_order
        inner join payrecon.order_keys on order_keys.order_id = scope_order.order_id
        where scope_order.round = this_round
    ),
    -- Ids inside unverified evidence connect nothing.
    upload as materialized (
        select uploads.user_id, uploads.device_id, uploads.order_id
        from scope_evidence
        inner join uploads on uploads.sha256 = scope_evidence.sha256
        where scope_evidence.round = this_round
    ),
    -- The text in which a piece of evidence was posted.
    posted as materialized (
        select evidence_links.parent_sha256 as sha256
        from scope_evidence
        inner join evidence_links on evidence_links.sha256 = scope_evidence.sha256
        where scope_evidence.round = this_round
            and evidence_links.batch_id is not null
    ),
    found as (
        select named.key, named.kind
        from order_version
        cross join lateral (
            values
                (order_version.order_id, 'order_id'), (order_version.user_id, 'user'), (order_version.app_account_token, 'token'),
                (order_version.device_id, 'device'), (order_version.transaction_id, 'transaction_id'),
                (order_version.web_order_line_item_id, 'line_item'), (order_version.original_transaction_id, 'original'),
                (encode(order_version.evidence_sha256, 'hex'), 'evidence')
        ) as named (key, kind)
        where named.key is not null
        union all
        select named.key, named.kind
        from chain_transaction
        cross join lateral (
            values
                (chain_transaction.app_account_token, 'token'), (chain_transaction.transaction_id, 'transaction_id'),
                (chain_transaction.web_order_line_item_id, 'line_item'), (chain_transaction.original_transaction_id, 'original')
        ) as named (key, kind)
        where named.key is not null
        union all
        select named.key, named.kind
        from upload
        cross join lateral (
            values (upload.user_id, 'user'), (upload.device_id, 'seen_device'), (upload.order_id, 'order_id')
        ) as named (key, kind)
        where named.key <> ''
        union all
        select encode(scope_evidence.sha256, 'hex'), 'evidence'
        from scope_evidence
        where scope_evidence.round = this_round
        union all
        select encode(posted.sha256, 'hex'), 'evidence'
        from posted
        union all
        select encode(chain_transaction.evidence_sha256, 'hex'), 'chain_evidence'
        from chain_transaction
        union all
        select encode(container.sha256, 'hex'), 'chain_evidence'
        from container
        union all
        select encode(evidence_links.parent_sha256, 'hex'), 'chain_evidence'
        from container
        inner join evidence_links on evidence_links.sha256 = container.sha256
    )
    insert into scope_key (key, kind, round)
    select fresh.key, fresh.kind, this_round
    from (
        select found.key, found.kind
        from found
        except
        select scope_key.key, scope_key.kind
        from scope_key
    ) as fresh
    -- Sorted, here and below, so that neighbouring rows are read together.
    order by fresh.key, fresh.kind;
    -- The chains to whose charges the evidence of a round decodes.
    insert into scope_chain (original_transaction_id, round)
    select distinct evidence.original_transaction_id, this_round + 1
    from scope_evidence
    inner join judged_evidence as evidence on evidence.sha256 = scope_evidence.sha256
    where scope_evidence.round = this_round
        and evidence.charge_id is not null
        and evidence.original_transaction_id is not null
    on conflict do nothing;
end
$$;
