-- purpose: claims an undecided partition whose members are known, and locks it until the end of the transaction.
-- parameters: job (text): match or detect; settings_sha256, code_version (text): of the caller, which decides only runs of
--             the same
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
