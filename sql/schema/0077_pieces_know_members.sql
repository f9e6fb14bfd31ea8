-- purpose: what hangs together is found once for all pieces, when they are cut, and each piece reads what it holds: members are known
--          before a piece is decided. What a run under way held is no use: another program begins it anew.
drop table payrecon.piece_members;
-- kind: order, chain (an original transaction id), and for match user and evidence. Each piece reads all of it once: an index takes longer
-- to fill.
create table payrecon.piece_members (
    job text collate "C" not null,
    piece integer not null,
    kind text collate "C" not null,
    id text collate "C" not null,
    constraint piece_members_kind check (kind in ('order', 'chain', 'user', 'evidence'))
);
-- An order is in one piece; what pieces decided is read whole.
alter table payrecon.piece_matches drop constraint piece_matches_pkey;
