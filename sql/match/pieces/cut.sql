-- purpose: cuts everything into pieces: by users, then what no user's order led to.
-- parameters: share_count (integer), settings_sha256, code_version (text): with the hash of the SQL that decides
-- grain:   one row per piece
insert into match_pieces (piece, share_count, settings_sha256, code_version)
select share.piece, :'share_count'::integer, :'settings_sha256'::text, :'code_version'::text
from generate_series(0, 2 * :'share_count'::integer - 1) as share (piece);
