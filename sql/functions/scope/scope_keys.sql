-- purpose: Adds the keys by which the facts of a round reach others, and the chains of its evidence; one step of a scope.
create or replace function payrecon.scope_keys(this_round integer) returns void
language plpgsql volatile
as $$
begin
    -- The keys of the orders of a round, in all their versions, also those after a past clock: a larger scope decides the same.
    insert into scope_key (key, kind, round)
    select distinct named.key, named.kind, this_round
    from scope_order
    inner join payrecon.order_keys on order_keys.order_id = scope_order.order_id
    cross join lateral (
        values
            (order_keys.order_id, 'order_id'), (order_keys.user_id, 'user'), (order_keys.app_account_token, 'token'),
            (order_keys.device_id, 'device'), (order_keys.transaction_id, 'transaction_id'),
            (order_keys.web_order_line_item_id, 'line_item'), (order_keys.original_transaction_id, 'original'),
            (encode(order_keys.evidence_sha256, 'hex'), 'evidence')
    ) as named (key, kind)
    where scope_order.round = this_round
        and named.key is not null
    -- Sorted, here and below, so that neighbouring rows are read together.
    order by 1, 2
    on conflict do nothing;
    -- The keys of the transactions of a round's chains. An order may name the receipt, answer or notification that contains
    -- a transaction; since few orders do, that evidence is handled separately.
    with statement as materialized (
        select
            transactions.app_account_token, transactions.transaction_id, transactions.web_order_line_item_id,
            transactions.original_transaction_id, transactions.evidence_sha256
        from scope_chain
        inner join transactions on transactions.original_transaction_id = scope_chain.original_transaction_id
        where scope_chain.round = this_round
    ),
    container as materialized (
        select distinct evidence_links.parent_sha256 as sha256
        from statement
        inner join evidence_links on evidence_links.sha256 = statement.evidence_sha256
    ),
    telling as (
        insert into scope_statement (sha256, round)
        select statement.evidence_sha256, this_round
        from statement
        union all
        select container.sha256, this_round
        from container
        union all
        select evidence_links.parent_sha256, this_round
        from container
        inner join evidence_links on evidence_links.sha256 = container.sha256
    )
    insert into scope_key (key, kind, round)
    select distinct named.key, named.kind, this_round
    from statement
    cross join lateral (
        values
            (statement.app_account_token, 'token'), (statement.transaction_id, 'transaction_id'),
            (statement.web_order_line_item_id, 'line_item'), (statement.original_transaction_id, 'original')
    ) as named (key, kind)
    where named.key is not null
    order by 1, 2
    on conflict do nothing;
    -- The keys of the evidence of a round: its uploaders, its hash, and that of the text in which it was posted. Ids inside
    -- unverified evidence connect nothing.
    insert into scope_key (key, kind, round)
    select encode(scope_evidence.sha256, 'hex'), 'evidence', this_round
    from scope_evidence
    where scope_evidence.round = this_round
    union all
    select encode(evidence_links.parent_sha256, 'hex'), 'evidence', this_round
    from scope_evidence
    inner join evidence_links on evidence_links.sha256 = scope_evidence.sha256
    where scope_evidence.round = this_round
        and evidence_links.batch_id is not null
    union all
    select named.key, named.kind, this_round
    from scope_evidence
    inner join uploads on uploads.sha256 = scope_evidence.sha256
    cross join lateral (
        values (uploads.user_id, 'user'), (uploads.device_id, 'seen_device'), (uploads.order_id, 'order_id')
    ) as named (key, kind)
    where scope_evidence.round = this_round
        and named.key <> ''
    on conflict do nothing;
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
