-- purpose: keys of facts without a user: charges, by their chain, and evidence. A chain names its evidence and the
--          containers of it that were uploaded or are named by an order. Evidence names its uploader, device and order, its
--          connected containers, and its chain. Each fact also has a key: its original transaction id or its hash.
-- grain:   one row per chain or evidence item, key and fact
create temp table cut_fact (fact bigint not null, key bigint not null) on commit drop;
insert into cut_fact (fact, key)
select key_hash('original', transactions.original_transaction_id), key_hash(named.kind, named.key)
from transactions
cross join lateral (
    values
        ('token', transactions.app_account_token), ('transaction_id', transactions.transaction_id),
        ('line_item', transactions.web_order_line_item_id)
) as named (kind, key)
where named.key is not null;
insert into cut_fact (fact, key)
select key_hash('original', charges.original_transaction_id), key_hash('line_item', charges.web_order_line_item_id)
from charges
where charges.web_order_line_item_id is not null;
insert into cut_fact (fact, key)
select key_hash('original', decided_pairs.original_transaction_id), key_hash('order_id', decided_pairs.order_id)
from decided_pairs;
create temp table cut_statement on commit drop as
select transactions.evidence_sha256 as sha256, transactions.original_transaction_id
from transactions;
analyze cut_statement;
create temp table cut_container on commit drop as
select evidence_links.parent_sha256 as sha256, cut_statement.original_transaction_id
from cut_statement
inner join evidence_links on evidence_links.sha256 = cut_statement.sha256;
analyze cut_container;
insert into cut_fact (fact, key)
select key_hash('original', chain_evidence.original_transaction_id), key_hash('evidence', encode(chain_evidence.sha256, 'hex'))
from (
    select cut_statement.sha256, cut_statement.original_transaction_id
    from cut_statement
    union all
    select cut_container.sha256, cut_container.original_transaction_id
    from cut_container
    union all
    select evidence_links.parent_sha256, cut_container.original_transaction_id
    from cut_container
    inner join evidence_links on evidence_links.sha256 = cut_container.sha256
) as chain_evidence
inner join cut_evidence on cut_evidence.sha256 = chain_evidence.sha256;
insert into cut_fact (fact, key)
select key_hash('evidence', encode(uploads.sha256, 'hex')), key_hash(named.kind, named.key)
from uploads
cross join lateral (
    values ('user', uploads.user_id), ('device', uploads.device_id), ('order_id', uploads.order_id)
) as named (kind, key)
where named.key <> '';
insert into cut_fact (fact, key)
with parent as materialized (
    select evidence_links.sha256, evidence_links.parent_sha256, evidence_links.batch_id
    from cut_evidence
    inner join evidence_links on evidence_links.sha256 = cut_evidence.sha256
)
select key_hash('evidence', encode(parent.sha256, 'hex')), key_hash('evidence', encode(parent.parent_sha256, 'hex'))
from parent
left join cut_evidence on cut_evidence.sha256 = parent.parent_sha256
where parent.batch_id is not null
    or cut_evidence.sha256 is not null;
create temp table cut_named on commit drop as
select
    key_hash('evidence', encode(evidence.sha256, 'hex')) as fact,
    key_hash('original', evidence.original_transaction_id) as key
from cut_evidence
inner join judged_evidence as evidence on evidence.sha256 = cut_evidence.sha256
where evidence.charge_id is not null
    and evidence.original_transaction_id is not null;
insert into cut_fact (fact, key)
select cut_named.fact, cut_named.key
from cut_named;
-- A fact that another fact or an order names gets its own key.
insert into cut_fact (fact, key)
select named.key, named.key
from (
    select cut_named.key
    from cut_named
    union
    select key_hash('evidence', encode(cut_evidence.sha256, 'hex'))
    from cut_evidence
    union
    select key_hash('original', orders.original_transaction_id)
    from orders
    where orders.original_transaction_id is not null
    union
    select key_hash('original', order_versions.original_transaction_id)
    from order_versions
    where order_versions.original_transaction_id is not null
) as named;
analyze cut_fact;
