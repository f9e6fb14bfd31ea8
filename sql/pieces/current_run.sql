-- purpose: the full run in pieces that is in progress: its settings, version and clock, whether only recording is
--          left, and its number of pieces.
-- grain:   one row; none if no run is in progress
select settings_sha256, code_version, as_of, bool_and(is_decided) as is_decided, max(piece_count) as piece_count
from pieces
group by settings_sha256, code_version, as_of;
