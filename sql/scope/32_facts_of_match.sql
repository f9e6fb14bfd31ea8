-- purpose: what else the ladder reads, for the scope alone, under the names of the tables it comes from.
-- grain:   that of each table
create temp table users on commit drop as
select users.*
from scope_hub
inner join payrecon.users on users.user_id = scope_hub.key
where scope_hub.kind = 'user';
create temp table match_keys on commit drop as
select distinct key, kind, side, id, route, batch_id
from scope_key;
create temp table evidence on commit drop as
select
    evidence.sha256, evidence.verdict, evidence.reason, evidence.charge_id, evidence.transaction_id,
    evidence.original_transaction_id
from scope_evidence
inner join payrecon.evidence on evidence.sha256 = scope_evidence.sha256;
create temp table sightings on commit drop as
select sightings.*
from scope_evidence
inner join payrecon.sightings on sightings.sha256 = scope_evidence.sha256;
analyze users, match_keys, evidence, sightings;
