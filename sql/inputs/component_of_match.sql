-- purpose: the further inputs of the ladder for a scope.
-- grain:   as in each table
create temp view in_user_tokens as
select user_tokens.*
from user_tokens
where user_tokens.user_id = any(array(select scope_key.key from scope_key where scope_key.kind = 'user'));
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
analyze in_judged_evidence, in_uploads;
