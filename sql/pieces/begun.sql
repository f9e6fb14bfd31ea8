-- purpose: the run of a job in pieces that is under way: with what and as of which clock it decides, and whether nothing is left of
--          it but to record it.
-- parameters: job (text): match or detect
-- grain:   one row; none when nothing is under way
select settings_sha256, code_version, as_of, bool_and(is_decided) as is_decided
from pieces
where job = :'job'::text
group by settings_sha256, code_version, as_of;
