-- purpose: assigns every connected component to one partition. Users and evidence are assigned for match only.
-- parameters: job (text): match or detect; share_count (integer)
-- grain:   one row per order, chain, user and evidence item
insert into piece_members (job, piece, kind, id)
with labelled as (
    select 'order' as kind, orders.order_id as id, key_hash('user', orders.user_id) as label
    from orders
    union all
    select fact.kind, fact.id, coalesce(cut_label.label, fact.fact)
    from (
        select 'chain' as kind, known_chain.original_transaction_id as id, key_hash('original', known_chain.original_transaction_id) as fact
        from (
            select transactions.original_transaction_id from transactions
            union
            select charges.original_transaction_id from charges
            union
            select renewal_infos.original_transaction_id from renewal_infos
            union
            select notifications.original_transaction_id from notifications where notifications.original_transaction_id is not null
        ) as known_chain
        union all
        select 'evidence', encode(cut_evidence.sha256, 'hex'), key_hash('evidence', encode(cut_evidence.sha256, 'hex'))
        from cut_evidence
        where :'job'::text = 'match'
    ) as fact
    left join cut_label on cut_label.fact = fact.fact
    union all
    select 'user', known_user.user_id, key_hash('user', known_user.user_id)
    from (
        select users.user_id from users
        union
        select user_tokens.user_id from user_tokens
    ) as known_user
    where :'job'::text = 'match'
)
select
    :'job'::text, share_of(coalesce(cut_root.root, labelled.label), :'share_count'::integer), labelled.kind,
    labelled.id
from labelled
left join cut_root on cut_root.label = labelled.label;
