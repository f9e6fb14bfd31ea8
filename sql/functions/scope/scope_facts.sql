-- purpose: Adds the facts that have the keys of a round; one step of a scope.
create or replace function payrecon.scope_facts(this_round integer) returns void
language plpgsql volatile
as $$
begin
    -- Looks up the keys of a round once each, in all versions of orders. A device that an order names counts only for
    -- uploads on it. Facts are read as stored, whatever the transaction's clock; facts unknown then only widen the scope.
    with wanted as materialized (
        select scope_key.key, scope_key.kind
        from scope_key
        where scope_key.round = this_round
    ),
    wanted_evidence as materialized (
        select decode(wanted.key, 'hex') as sha256, wanted.kind
        from wanted
        where wanted.kind in ('evidence', 'chain_evidence')
    ),
    -- kind: order, chain, evidence, token or user.
    fact as materialized (
        select 'order' as kind, order_keys.order_id as id
        from wanted
        inner join payrecon.order_keys on order_keys.user_id = wanted.key
        where wanted.kind = 'user'
        union all
        select 'order', order_keys.order_id
        from wanted
        inner join payrecon.order_keys on order_keys.app_account_token = wanted.key
        where wanted.kind = 'token'
        union all
        select 'order', order_keys.order_id
        from wanted
        inner join payrecon.order_keys on order_keys.device_id = wanted.key
        where wanted.kind = 'seen_device'
        union all
        select 'order', order_keys.order_id
        from wanted
        inner join payrecon.order_keys on order_keys.transaction_id = wanted.key
        where wanted.kind = 'transaction_id'
        union all
        select 'order', order_keys.order_id
        from wanted
        inner join payrecon.order_keys on order_keys.web_order_line_item_id = wanted.key
        where wanted.kind = 'line_item'
        union all
        select 'order', order_keys.order_id
        from wanted
        inner join payrecon.order_keys on order_keys.original_transaction_id = wanted.key
        where wanted.kind = 'original'
        union all
        select 'order', order_keys.order_id
        from wanted_evidence
        inner join payrecon.order_keys on order_keys.evidence_sha256 = wanted_evidence.sha256
        union all
        select 'chain', transactions.original_transaction_id
        from wanted
        inner join payrecon.transactions on transactions.app_account_token = wanted.key
        where wanted.kind = 'token'
        union all
        select 'chain', transactions.original_transaction_id
        from wanted
        inner join payrecon.transactions on transactions.transaction_id = wanted.key
        where wanted.kind = 'transaction_id'
        union all
        select 'chain', charges.original_transaction_id
        from wanted
        inner join payrecon.charges on charges.web_order_line_item_id = wanted.key
        where wanted.kind = 'line_item'
        union all
        select 'evidence', encode(uploads.sha256, 'hex')
        from wanted
        inner join payrecon.uploads on uploads.user_id = wanted.key and uploads.user_id <> ''
        where wanted.kind = 'user'
        union all
        select 'evidence', encode(uploads.sha256, 'hex')
        from wanted
        inner join payrecon.uploads on uploads.device_id = wanted.key and uploads.device_id <> ''
        where wanted.kind in ('device', 'seen_device')
        union all
        select 'evidence', encode(uploads.sha256, 'hex')
        from wanted
        inner join payrecon.uploads on uploads.order_id = wanted.key and uploads.order_id <> ''
        where wanted.kind = 'order_id'
        union all
        select 'token', user_tokens.app_account_token
        from wanted
        inner join payrecon.user_tokens on user_tokens.user_id = wanted.key
        where wanted.kind = 'user'
        union all
        select 'user', user_tokens.user_id
        from wanted
        inner join payrecon.user_tokens on user_tokens.app_account_token = wanted.key
        where wanted.kind = 'token'
    ),
    -- Orders connected with the round by keys or decisions.
    added_order as (
        insert into scope_order (order_id, round)
        select distinct connected.order_id, this_round + 1
        from (
            select fact.id as order_id
            from fact
            where fact.kind = 'order'
            union all
            select orders.order_id
            from wanted
            inner join orders on orders.order_id = wanted.key
            where wanted.kind = 'order_id'
            union all
            select decided_pairs.order_id
            from scope_chain
            inner join decided_pairs on decided_pairs.original_transaction_id = scope_chain.original_transaction_id
            where scope_chain.round = this_round
        ) as connected
        order by connected.order_id
        on conflict do nothing
    ),
    -- Chains connected with the round; a chain named by an order need not exist.
    added_chain as (
        insert into scope_chain (original_transaction_id, round)
        select distinct connected.original_transaction_id, this_round + 1
        from (
            select fact.id as original_transaction_id
            from fact
            where fact.kind = 'chain'
            union all
            select wanted.key
            from wanted
            where wanted.kind = 'original'
            union all
            select decided_pairs.original_transaction_id
            from scope_order
            inner join decided_pairs on decided_pairs.order_id = scope_order.order_id
            where scope_order.round = this_round
        ) as connected
        order by connected.original_transaction_id
        on conflict do nothing
    ),
    -- Evidence connected with the round: uploaded by a user, on a device or for an order, named by an order, or uploaded
    -- evidence of a chain.
    added_evidence as (
        insert into scope_evidence (sha256, round)
        select decode(fact.id, 'hex'), this_round + 1
        from fact
        where fact.kind = 'evidence'
        union all
        select wanted_evidence.sha256, this_round + 1
        from wanted_evidence
        where wanted_evidence.kind = 'evidence'
        union all
        select evidence_links.sha256, this_round + 1
        from wanted_evidence
        inner join evidence_links on evidence_links.parent_sha256 = wanted_evidence.sha256
        where wanted_evidence.kind = 'evidence'
        union all
        select uploads.sha256, this_round + 1
        from wanted_evidence
        inner join uploads on uploads.sha256 = wanted_evidence.sha256
        where wanted_evidence.kind = 'chain_evidence'
        order by 1
        on conflict do nothing
    )
    -- Tokens of the round's users, and users of its tokens.
    insert into scope_key (key, kind, round)
    select connected.key, connected.kind, this_round + 1
    from (
        select fact.id as key, fact.kind
        from fact
        where fact.kind in ('user', 'token')
        except
        select scope_key.key, scope_key.kind
        from scope_key
    ) as connected;
end
$$;
