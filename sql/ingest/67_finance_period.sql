-- purpose: the fiscal period that a file was put into, and what is odd about it, and about another version of it that was read at the
--          same clock.
-- parameters: file_sha256 (text)
-- grain:   one row per warning, and one where there is none
select finance_files.fiscal_period, odd.warning
from finance_files
left join lateral (
    select told.warning, told.place
    from unnest(finance_files.warnings) with ordinality as told (warning, place)
    union all
    select twin.warning, null
    from finance_twins() as twin
    where twin.file_sha256 = :'file_sha256'::text
) as odd on true
where finance_files.file_sha256 = :'file_sha256'::text
order by odd.place, odd.warning;
