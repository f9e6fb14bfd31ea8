-- purpose: staging tables for a chunk of verified and decoded Apple evidence.
-- grain:   staged_evidence one row per item and nested item: top_sha256 is the item received (is_reevaluation: an item already
--          known), former_sha256 another hash that the same bytes may be stored under, body_sha256 the hash of the text in
--          which they were posted; fresh_evidence one row per hash that is new, or known (is_known) with a better verdict
--          now; usable_evidence one row per hash that was not genuine or whose container was not; the others one row per
--          decoded item
create temp table if not exists staged_evidence (
    item bigint not null,
    is_top boolean not null,
    sha256 bytea not null,
    kind text collate "C" not null,
    verdict text collate "C" not null,
    reason jsonb not null,
    bundle_id text collate "C" not null,
    environment text collate "C" not null,
    source text collate "C" not null,
    parent_sha256 bytea,
    top_sha256 bytea not null,
    former_sha256 bytea, body_sha256 bytea,
    row_hash bytea not null,
    is_from_apple boolean not null,
    is_reevaluation boolean not null,
    header_key text collate "C",
    charge_id text collate "C",
    transaction_id text collate "C",
    original_transaction_id text collate "C",
    body bytea not null,
    unpacked_length integer, signed_at timestamptz,
    received_at timestamptz not null,
    user_id text collate "C" not null,
    device_id text collate "C" not null,
    order_id text collate "C" not null
) on commit delete rows;
create temp table if not exists fresh_evidence (
    sha256 bytea not null,
    item bigint not null,
    is_known boolean not null
) on commit delete rows;
create temp table if not exists usable_evidence (sha256 bytea not null, item bigint not null) on commit delete rows;
create temp table if not exists informative_evidence (sha256 bytea not null) on commit delete rows;
create temp table if not exists staged_transaction (like payrecon.transactions) on commit delete rows;
create temp table if not exists staged_renewal_info (like payrecon.renewal_infos) on commit delete rows;
create temp table if not exists staged_notification (like payrecon.notifications) on commit delete rows;
create temp table if not exists staged_unrecognized (
    sha256 bytea not null, field text collate "C" not null, value text not null
) on commit delete rows;
