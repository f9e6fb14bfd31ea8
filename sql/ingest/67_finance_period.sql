-- purpose: the fiscal period assigned to a file, and warnings about the file and about another version of it read at the
--          same clock.
-- parameters: file_sha256 (text)
-- grain:   one row per warning; one row without a warning if there is none
select finance_files.fiscal_period, odd.warning
from finance_files
left join lateral (
    select own.warning, own.place
    from unnest(finance_files.warnings) with ordinality as own (warning, place)
    union all
    select twin.warning, null
    from finance_twins() as twin
    where twin.file_sha256 = :'file_sha256'::text
) as odd on true
where finance_files.file_sha256 = :'file_sha256'::text
order by odd.place, odd.warning;
