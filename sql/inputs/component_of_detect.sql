-- purpose: the further inputs of detect for a scope. Orders with a state-only change (without a round) are evaluated with their
--          charges and need no others.
-- grain:   as in each table
create temp table in_transactions on commit drop as
select
    transactions.original_transaction_id, transactions.charge_id, transactions.evidence_sha256,
    transactions.transaction_id, transactions.app_account_token, transactions.original_purchased_at, transactions.revoked_at,
    transactions.type
from scope_chain
inner join transactions on transactions.original_transaction_id = scope_chain.original_transaction_id
where scope_chain.round is not null;
analyze in_transactions;
create temp view in_matched_orders as
select matched_orders.*
from matched_orders
where matched_orders.order_id = any(array(select scope_order.order_id from scope_order));
create temp view in_renewal_infos as
select renewal_infos.*
from renewal_infos
where renewal_infos.original_transaction_id = any(array(select scope_chain.original_transaction_id from scope_chain));
create temp view in_notifications as
select notifications.*
from notifications
where notifications.original_transaction_id = any(
        array(select scope_chain.original_transaction_id from scope_chain where scope_chain.round is not null)
    );
create temp view in_judged_evidence as
select
    evidence.sha256, evidence.verdict, evidence.reason, evidence.bundle_id, evidence.environment, evidence.transaction_id
from judged_evidence as evidence
where evidence.sha256 = any(array(select refused_claims.evidence_sha256 from in_refused_claims as refused_claims));
create temp table in_uploads on commit drop as
select uploads.*
from (select distinct evidence_sha256 from in_transactions) as cited
inner join uploads on uploads.sha256 = cited.evidence_sha256;
analyze in_uploads;
