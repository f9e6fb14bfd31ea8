-- purpose: Evidence from Apple, and its verdicts. Evidence is append-only: rows are never changed or removed.

-- Readers of evidence: trusted roots, our apps, and the version of the reading program.
-- grain: one row per combination in use
create table payrecon.readers (
    reader_sha256 text collate "C" not null,   -- Hash of the three columns below
    anchors_sha256 text collate "C" not null,  -- Hash of the trusted root certificates
    apps text collate "C" not null,            -- Our apps, as one text
    version integer not null,                  -- Version of the reading itself
    constraint readers_pkey primary key (reader_sha256)
);

-- Kinds of signature verified by a reader at least once. Doctor reports roots that have verified nothing yet.
-- grain: one row per reader and kind of signature
create table payrecon.proven_kinds (
    reader_sha256 text collate "C" not null,  -- Reader, with its trusted roots, apps and version: payrecon.readers
    is_receipt boolean not null,              -- Whether it is the signature of app receipts; otherwise of signed texts
    constraint proven_kinds_pkey primary key (reader_sha256, is_receipt)
);

-- Parts that many signed texts share, stored once: their first segment, and the frame of their payload.
-- grain: one row per shared part
create table payrecon.signed_headers (
    header_key text collate "C" not null,  -- Hash of header and frame
    header bytea not null,                 -- First segment of the signed text, with the certificates
    frame bytea,                           -- Payload with U+001F in place of each value; null if bodies contain the whole payload
    constraint signed_headers_pkey primary key (header_key)
);

-- Signed items from Apple, stored permanently. Header, frame and body together give the bytes that hash to sha256.
-- grain: one row per item
create table payrecon.evidence (
    sha256 bytea not null,                     -- Hash of the item's bytes
    kind text collate "C" not null,            -- transaction, renewal_info, notification, receipt, verify_receipt, app_transaction, …
    -- First verdict: genuine, forged, malformed, foreign or pending; later ones: payrecon.judgements
    verdict text collate "C" not null,
    reason jsonb not null,                     -- Phrase: why it is not genuine; empty when it is
    bundle_id text collate "C" not null,       -- App, by its bundle id
    environment text collate "C" not null,     -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    source text collate "C" not null,          -- First sender: client, notification, api or import
    header_key text collate "C",               -- Shared parts: payrecon.signed_headers; null if body is complete
    charge_id text collate "C",                -- Charge that it states, if it is one transaction
    transaction_id text collate "C",           -- Apple's id of the transaction
    original_transaction_id text collate "C",  -- Apple's id of the first transaction of the purchase or subscription
    body bytea not null,                       -- Bytes of the item, without its shared and nested parts
    batch_id bigint not null,                  -- Batch that first stated it: payrecon.batches
    signed_at timestamptz,                     -- When Apple signed it
    received_at timestamptz not null,          -- When we received it
    -- Items of its batch that were stored before; one seal of the audit chain covers a batch and chunk
    chunk bigint not null default 0,
    row_hash bytea,                            -- Hash of all columns except the bytes; covered by the seal
    unpacked_length integer,                   -- Length of the item's bytes; null if body contains them unpacked
    constraint evidence_pkey primary key (sha256),
    constraint evidence_verdict check (verdict in ('genuine', 'forged', 'malformed', 'foreign', 'pending'))
);
-- Finds evidence of a transaction that is not genuine.
create index evidence_not_genuine on payrecon.evidence (transaction_id, sha256) where verdict <> 'genuine';

-- Nesting of signed items. The same item may come alone, and in several others.
-- grain: one row per item and enclosing item
create table payrecon.evidence_links (
    sha256 bytea not null,         -- Nested item: payrecon.evidence
    parent_sha256 bytea not null,  -- Enclosing item, or hash of the text that a notification was posted in
    batch_id bigint                -- Batch of the posted text, which is no evidence itself; null if the parent is evidence
);
-- Finds the items nested in one.
create index evidence_links_parent on payrecon.evidence_links using hash (parent_sha256);
-- Finds the items that enclose one.
create index evidence_links_sha256 on payrecon.evidence_links using hash (sha256);

-- Deliveries of evidence, with sender, instant and order.
-- grain: one row per item, source, instant, user, device and order
create table payrecon.uploads (
    sha256 bytea not null,                -- Item: payrecon.evidence
    source text collate "C" not null,     -- Sender: client, notification, api or import
    user_id text collate "C" not null,    -- User who uploaded it; empty if none is named
    device_id text collate "C" not null,  -- Device of the upload; empty if none is named
    order_id text collate "C" not null,   -- Order of the upload; empty if none is named
    charge_id text collate "C",           -- Charge that the item states, once it is genuine
    batch_id bigint not null,             -- Batch that first stated it: payrecon.batches
    received_at timestamptz not null,     -- When we received it
    constraint uploads_pkey primary key (sha256, source, received_at, user_id, device_id, order_id)
);
-- Finds the uploads of a device.
create index uploads_device on payrecon.uploads (device_id) where device_id <> '';
-- Finds the uploads for an order.
create index uploads_order on payrecon.uploads (order_id) where order_id <> '';
-- Finds the uploads of a user.
create index uploads_user on payrecon.uploads (user_id) where user_id <> '';

-- Values signed by Apple that this version does not know. They are reported, not used.
-- grain: one row per item, field and value
create table payrecon.unrecognized_values (
    sha256 bytea not null,            -- Item: payrecon.evidence
    field text collate "C" not null,  -- Name of the field
    value text collate "C" not null,  -- The value, as Apple states it
    batch_id bigint not null,         -- Batch that first stated it: payrecon.batches
    constraint unrecognized_values_pkey primary key (sha256, field, value)
);

-- Later verdicts on evidence whose first verdict was not genuine; the newest counts. Sealed like evidence.
-- grain: one row per item and reading
create table payrecon.judgements (
    sha256 bytea not null,                     -- Item: payrecon.evidence
    batch_id bigint not null,                  -- Batch that first stated it: payrecon.batches
    chunk bigint not null,                     -- Items of the batch that were judged before; one seal covers a batch and chunk
    reader_sha256 text collate "C" not null,   -- Reader, with its trusted roots, apps and version: payrecon.readers
    verdict text collate "C" not null,         -- genuine, forged, malformed, foreign or pending
    reason jsonb not null,                     -- Phrase: why it is not genuine; empty when it is
    kind text collate "C" not null,            -- Kind of evidence, as in payrecon.evidence
    bundle_id text collate "C" not null,       -- App, by its bundle id
    environment text collate "C" not null,     -- Apple's environment: Production, Sandbox, Xcode or LocalTesting
    charge_id text collate "C",                -- Our id of the charge: payrecon.charges
    transaction_id text collate "C",           -- Apple's id of the transaction
    original_transaction_id text collate "C",  -- Apple's id of the first transaction of the purchase or subscription
    replaced_by bytea,                         -- Hash of the same item since its container became genuine
    signed_at timestamptz,                     -- When Apple signed it
    constraint judgements_pkey primary key (sha256, batch_id, chunk),
    constraint judgements_verdict check (verdict in ('genuine', 'forged', 'malformed', 'foreign', 'pending'))
);
-- Reads one chunk to verify its seal.
create index judgements_chunk on payrecon.judgements (batch_id, chunk);

-- Work list: top-level items that are not genuine, or enclose one that is not. They are read again when the reader changes.
-- grain: one row per item and trust in its sender
create table payrecon.unproven_evidence (
    sha256 bytea not null,                    -- Item: payrecon.evidence
    is_from_apple boolean not null,           -- Whether it came over a channel that only Apple answers
    reader_sha256 text collate "C" not null,  -- Reader that read it last: payrecon.readers
    held_until timestamptz,                   -- Signature instant ahead of the reading clock; the item is read again after it
    constraint unproven_evidence_pkey primary key (sha256, is_from_apple)
);
