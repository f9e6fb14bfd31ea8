-- purpose: what else the ladder reads, for the scope alone, under the names of the tables it comes from.
-- grain:   that of each table
create temp table users on commit drop as
select users.*
from scope_hub
inner join payrecon.users on users.user_id = scope_hub.key
where scope_hub.kind = 'user';
create temp table user_tokens on commit drop as
select user_tokens.*
from scope_hub
inner join payrecon.user_tokens on user_tokens.user_id = scope_hub.key
where scope_hub.kind = 'user';
create temp table match_keys on commit drop as
select distinct key, kind, side, id, route, batch_id
from scope_key;
create temp table judged_evidence on commit drop as
select
    evidence.sha256, evidence.first_verdict, evidence.verdict, evidence.reason, evidence.charge_id,
    evidence.transaction_id, evidence.header_sha256, evidence.original_transaction_id
from scope_evidence
inner join payrecon.judged_evidence as evidence on evidence.sha256 = scope_evidence.sha256;
create temp table sightings on commit drop as
select sightings.*
from scope_evidence
inner join payrecon.sightings on sightings.sha256 = scope_evidence.sha256;
analyze users, user_tokens, match_keys, judged_evidence, sightings;
