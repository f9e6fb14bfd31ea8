-- purpose: App Store Connect's latest answers for the reports of a vendor number.
-- parameters: vendor (text)
-- grain:   one row per report and period requested
select report, period, outcome, words, requested_at, content_sha256
from finance_downloads
where vendor = :'vendor'::text
order by report, period;
