-- purpose: a piece of which is known what it holds and that nobody decided yet, kept from others until the transaction ends, however
--          it ends.
-- parameters: job (text): match or detect; settings_sha256, code_version (text): of whoever asks, who decides for no run of others
-- grain:   at most one row
select piece, share_count, as_of
from pieces
where job = :'job'::text
    and is_dealt
    and not is_decided
    and settings_sha256 = :'settings_sha256'::text
    and code_version = :'code_version'::text
order by piece
limit 1
for update skip locked;
