-- purpose: begins a full run in pieces.
-- parameters: piece_count (integer); settings_sha256, code_version (text): including the hash of the deciding SQL;
--             as_of (timestamptz)
-- grain:   one row per piece
insert into pieces (piece, piece_count, settings_sha256, code_version, as_of)
select numbered.piece, :'piece_count'::integer, :'settings_sha256'::text, :'code_version'::text, :'as_of'::timestamptz
from generate_series(0, :'piece_count'::integer - 1) as numbered (piece);
