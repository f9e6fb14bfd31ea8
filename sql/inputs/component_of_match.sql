-- purpose: the further inputs of the ladder for a scope.
-- grain:   as in each table
create temp table in_users on commit drop as
select users.*
from scope_key
inner join users on users.user_id = scope_key.key
where scope_key.kind = 'user';
create temp table in_user_tokens on commit drop as
select user_tokens.*
from scope_key
inner join user_tokens on user_tokens.user_id = scope_key.key
where scope_key.kind = 'user';
create temp table in_judged_evidence on commit drop as
select
    evidence.sha256, evidence.kind, evidence.first_verdict, evidence.verdict, evidence.reason, evidence.charge_id,
    evidence.transaction_id, evidence.header_key, evidence.original_transaction_id
from scope_evidence
inner join judged_evidence as evidence on evidence.sha256 = scope_evidence.sha256;
create temp table in_uploads on commit drop as
select uploads.*
from scope_evidence
inner join uploads on uploads.sha256 = scope_evidence.sha256;
create temp table in_api_misses on commit drop as
select api_misses.*
from (select distinct orders.bundle_id, orders.transaction_id from in_orders as orders where orders.transaction_id is not null) as named
inner join api_misses using (bundle_id, transaction_id);
analyze in_users, in_user_tokens, in_judged_evidence, in_uploads, in_api_misses;
