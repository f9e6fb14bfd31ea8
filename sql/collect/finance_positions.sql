-- purpose: what App Store Connect said of a vendor number's reports so far.
-- parameters: vendor (text)
-- grain:   one row per report and period that was asked for
select report, period, outcome, words, requested_at, content_sha256
from finance_downloads
where vendor = :'vendor'::text
order by report, period;
