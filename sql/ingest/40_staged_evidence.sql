-- purpose: staging tables for a chunk of verified and decoded Apple evidence.
-- grain:   staged_evidence one row per item and nested item: top_sha256 is the item received (is_reevaluation: an item already
--          known), former_sha256 another hash that the same bytes may be stored under, body_sha256 the hash of the text in
--          which they were posted; fresh_evidence one row per hash that is new, or known (is_known) with a better verdict
--          now; usable_evidence one row per hash that was not genuine or whose container was not; the others one row per
--          decoded item
create temp table if not exists staged_evidence (like payrecon.evidence) on commit delete rows;
alter table staged_evidence
    drop column if exists batch_id,
    drop column if exists chunk,
    add column if not exists item bigint not null,
    add column if not exists is_top boolean not null,
    add column if not exists parent_sha256 bytea,
    add column if not exists top_sha256 bytea not null,
    add column if not exists former_sha256 bytea,
    add column if not exists body_sha256 bytea,
    add column if not exists is_from_apple boolean not null,
    add column if not exists is_reevaluation boolean not null,
    add column if not exists user_id text collate "C" not null,
    add column if not exists device_id text collate "C" not null,
    add column if not exists order_id text collate "C" not null;
create temp table if not exists fresh_evidence (
    sha256 bytea not null,
    item bigint not null,
    is_known boolean not null
) on commit delete rows;
create temp table if not exists usable_evidence (sha256 bytea not null, item bigint not null) on commit delete rows;
create temp table if not exists informative_evidence (sha256 bytea not null) on commit delete rows;
create temp table if not exists stated_charge (
    original_transaction_id text collate "C" not null, charge_id text collate "C" not null
) on commit delete rows;
create temp table if not exists staged_transaction (like payrecon.transactions) on commit delete rows;
create temp table if not exists staged_renewal_info (like payrecon.renewal_infos) on commit delete rows;
create temp table if not exists staged_notification (like payrecon.notifications) on commit delete rows;
create temp table if not exists staged_header (like payrecon.signed_headers) on commit delete rows;
create temp table if not exists staged_unrecognized (
    sha256 bytea not null, field text collate "C" not null, value text not null
) on commit delete rows;
