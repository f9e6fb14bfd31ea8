-- purpose: what lets a match run look only at what changed and at what that can reach.
-- note:    ingest notes the changed facts of each chunk in one row, which costs next to nothing; the links by which one
--          fact reaches another are written by the match run itself, in bulk, when it first needs them.

-- Facts that came in since the last match run, some thousand to a row; the run that took them removes them.
-- kind: order, user, chain (an original transaction id), evidence (a sha256).
create table payrecon.changes (
    batch_id bigint not null,
    kind text collate "C" not null,
    first_id text collate "C" not null,
    ids text[] collate "C" not null,
    constraint changes_pkey primary key (batch_id, kind, first_id),
    constraint changes_kind check (kind in ('order', 'user', 'chain', 'evidence'))
);

-- Who is reached by a user, a token, a device or an order id. Links of replaced versions stay: they only widen a scope.
-- side: order, chain, evidence, user, token.
create table payrecon.reach_keys (
    key text collate "C" not null,
    kind text collate "C" not null,
    side text collate "C" not null,
    id text collate "C" not null,
    constraint reach_keys_pkey primary key (key, kind, side, id),
    constraint reach_keys_kind check (kind in ('user', 'token', 'device', 'order_id')),
    constraint reach_keys_side check (side in ('order', 'chain', 'evidence', 'user', 'token'))
);

-- With what the matches of the moment were decided; anything else decides all of them anew.
create table payrecon.match_state (
    name text collate "C" not null,
    settings_sha256 text collate "C" not null,
    code_version text collate "C" not null,
    has_reach boolean not null,
    constraint match_state_pkey primary key (name)
);
