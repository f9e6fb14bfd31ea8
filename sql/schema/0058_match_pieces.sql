-- purpose: a match run that decides everything in pieces, each in a transaction of its own: which pieces there are, what those
--          that are decided hold, and what was decided, until one transaction makes of it what stands.

-- kind of piece: the orders of a share of all users, and after as many of these the chains of a share that no order led to.
create table payrecon.match_pieces (
    piece integer not null,
    share_count integer not null,
    is_decided boolean not null default false,
    settings_sha256 text collate "C" not null,
    code_version text collate "C" not null,
    constraint match_pieces_pkey primary key (piece)
);
-- kind: order, chain (an original transaction id).
create table payrecon.piece_members (
    kind text collate "C" not null,
    id text collate "C" not null,
    piece integer not null,
    constraint piece_members_pkey primary key (id, kind, piece),
    constraint piece_members_kind check (kind in ('order', 'chain'))
);
create table payrecon.piece_matches (
    order_id text collate "C" not null,
    charge_id text collate "C" not null,
    original_transaction_id text collate "C" not null,
    rung text collate "C" not null,
    piece integer not null,
    constraint piece_matches_pkey primary key (order_id, piece)
);
create table payrecon.piece_refused_claims (
    order_id text collate "C" not null,
    class text collate "C" not null,
    rung text collate "C" not null,
    charge_id text collate "C",
    evidence_sha256 text collate "C",
    counterpart text collate "C",
    is_explicit boolean not null,
    piece integer not null,
    constraint piece_refused_claims_pkey primary key (order_id, piece)
);
create table payrecon.piece_second_charges (
    original_transaction_id text collate "C" not null,
    charge_id text collate "C" not null,
    order_id text collate "C" not null,
    piece integer not null,
    constraint piece_second_charges_pkey primary key (original_transaction_id, charge_id, piece)
);
create table payrecon.piece_ambiguous_candidates (
    original_transaction_id text collate "C" not null,
    charge_id text collate "C" not null,
    order_id text collate "C" not null,
    contributions text collate "C" not null,
    rank integer not null,
    piece integer not null,
    constraint piece_ambiguous_candidates_pkey primary key (original_transaction_id, charge_id, order_id, piece)
);
