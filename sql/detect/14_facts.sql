-- purpose: what else detect reads, for the scope alone, under the names of the tables it comes from.
--          Orders of which only the state changed (round -1) are judged beside their charges, and need no more.
-- grain:   that of each table
create temp table transactions on commit drop as
select
    transactions.original_transaction_id, transactions.charge_id, transactions.evidence_sha256,
    transactions.original_purchased_at
from scope_chain
inner join payrecon.transactions on transactions.original_transaction_id = scope_chain.original_transaction_id
where scope_chain.round >= 0;
analyze transactions;
create temp table users on commit drop as
select users.*
from (
    select distinct orders.user_id
    from orders
    inner join scope_order on scope_order.order_id = orders.order_id
    where scope_order.round >= 0
) as buyer
inner join payrecon.users on users.user_id = buyer.user_id;
create temp table user_tokens on commit drop as
select user_tokens.*
from (
    select distinct charges.app_account_token
    from charges
    inner join scope_chain on scope_chain.original_transaction_id = charges.original_transaction_id
    where scope_chain.round >= 0
) as token
inner join payrecon.user_tokens on user_tokens.app_account_token = token.app_account_token;
create temp table claims on commit drop as
select claims.*
from scope_order
inner join payrecon.claims on claims.order_id = scope_order.order_id;
create temp table renewal_infos on commit drop as
select renewal_infos.*
from scope_chain
inner join payrecon.renewal_infos on renewal_infos.original_transaction_id = scope_chain.original_transaction_id;
create temp table notifications on commit drop as
select notifications.*
from scope_chain
inner join payrecon.notifications on notifications.original_transaction_id = scope_chain.original_transaction_id
where scope_chain.round >= 0;
create temp table judged_evidence on commit drop as
select
    evidence.sha256, evidence.verdict, evidence.reason, evidence.bundle_id, evidence.environment,
    evidence.transaction_id
from (select distinct evidence_sha256 from refused_claims) as claimed
inner join payrecon.judged_evidence as evidence on evidence.sha256 = claimed.evidence_sha256;
create temp table sightings on commit drop as
select sightings.*
from (select distinct evidence_sha256 from transactions) as told
inner join payrecon.sightings on sightings.sha256 = told.evidence_sha256;
create temp table api_misses on commit drop as
select api_misses.*
from (
    select distinct orders.bundle_id, orders.transaction_id
    from orders
    inner join scope_order on scope_order.order_id = orders.order_id
    where orders.transaction_id is not null
        and scope_order.round >= 0
) as named
inner join payrecon.api_misses
    on api_misses.bundle_id = named.bundle_id
    and api_misses.transaction_id = named.transaction_id;
create temp table match_keys on commit drop as
select match_keys.*
from api_misses
inner join payrecon.match_keys
    on match_keys.key = api_misses.transaction_id
    and match_keys.kind = 'transaction_id';
analyze users, user_tokens, claims, renewal_infos, notifications, judged_evidence, sightings, api_misses, match_keys;
