-- purpose: the fiscal period that a file was put into, and what is odd about it.
-- parameters: file_sha256 (text)
-- grain:   one row per warning, and one where there is none
select finance_files.fiscal_period, odd.warning
from finance_files
left join lateral unnest(finance_files.warnings) with ordinality as odd (warning, place) on true
where finance_files.file_sha256 = :'file_sha256'::text
order by odd.place;
