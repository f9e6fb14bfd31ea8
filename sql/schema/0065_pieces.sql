-- purpose: how a run that decides everything is cut into pieces is no longer match's alone. A run that is under way stays what it is,
--          and waits: another program begins it anew.

alter table payrecon.match_pieces rename to pieces;
-- as_of: the clock by which all pieces of a run are decided.
alter table payrecon.pieces
add column job text collate "C" not null default 'match',
add column as_of timestamptz not null default 'epoch',
drop constraint match_pieces_pkey,
add constraint pieces_pkey primary key (job, piece),
add constraint pieces_job check (job in ('match', 'detect'));
alter table payrecon.pieces
alter column job drop default,
alter column as_of drop default;

alter table payrecon.piece_members
add column job text collate "C" not null default 'match',
drop constraint piece_members_pkey,
add constraint piece_members_pkey primary key (job, id, kind, piece);
alter table payrecon.piece_members
alter column job drop default;
