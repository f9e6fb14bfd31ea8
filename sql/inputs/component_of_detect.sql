-- purpose: the further inputs of detect for a scope. Orders with a state-only change (without a round) are evaluated with their
--          charges and need no others.
-- grain:   as in each table
create temp table in_transactions on commit drop as
select
    transactions.original_transaction_id, transactions.charge_id, transactions.evidence_sha256,
    transactions.transaction_id, transactions.original_purchased_at, transactions.revoked_at, transactions.type
from scope_chain
inner join transactions on transactions.original_transaction_id = scope_chain.original_transaction_id
where scope_chain.round is not null;
create temp table in_matched_orders on commit drop as
select matched_orders.*
from scope_order
inner join matched_orders on matched_orders.order_id = scope_order.order_id;
create temp table in_users on commit drop as
select users.*
from (select distinct orders.user_id from in_orders as orders where orders.app_account_token is null) as buyer
inner join users on users.user_id = buyer.user_id;
create temp table in_renewal_infos on commit drop as
select renewal_infos.*
from scope_chain
inner join renewal_infos on renewal_infos.original_transaction_id = scope_chain.original_transaction_id;
create temp table in_notifications on commit drop as
select notifications.*
from scope_chain
inner join notifications on notifications.original_transaction_id = scope_chain.original_transaction_id
where scope_chain.round is not null;
create temp table in_judged_evidence on commit drop as
select
    evidence.sha256, evidence.verdict, evidence.reason, evidence.bundle_id, evidence.environment,
    evidence.transaction_id
from (select distinct evidence_sha256 from in_refused_claims) as claimed
inner join judged_evidence as evidence on evidence.sha256 = claimed.evidence_sha256;
create temp table in_uploads on commit drop as
select uploads.*
from (select distinct evidence_sha256 from in_transactions) as cited
inner join uploads on uploads.sha256 = cited.evidence_sha256;
create temp table in_api_misses on commit drop as
select api_misses.*
from (
    select distinct orders.bundle_id, orders.transaction_id
    from in_orders as orders
    inner join scope_order on scope_order.order_id = orders.order_id
    where orders.transaction_id is not null
        and scope_order.round is not null
) as named
inner join api_misses using (bundle_id, transaction_id);
analyze in_transactions, in_matched_orders, in_users, in_renewal_infos, in_notifications, in_judged_evidence, in_uploads, in_api_misses;
