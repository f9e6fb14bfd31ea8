-- purpose: records App Store Connect's answer for a report, in the transaction that stores the report if one came. A
--          stored report stays stored, whatever later answers say.
-- parameters: vendor, report, period, outcome, words (text), requested_at (timestamptz), is_asked (boolean): false if no
--             request was sent, content_sha256 (text): null if no report came
-- grain:   one row
insert into finance_downloads as download (
    vendor, report, period, outcome, words, ask_count, requested_at, taken_at, content_sha256
)
values (
    :'vendor'::text, :'report'::text, :'period'::text, :'outcome'::text, :'words'::text, :'is_asked'::boolean::integer,
    :'requested_at'::timestamptz, case when :'content_sha256'::text is not null then :'requested_at'::timestamptz end,
    :'content_sha256'::text
)
on conflict (vendor, report, period) do update
set
    outcome = excluded.outcome,
    words = excluded.words,
    ask_count = download.ask_count + excluded.ask_count,
    requested_at = excluded.requested_at,
    taken_at = case
        when excluded.content_sha256 is distinct from download.content_sha256 then coalesce(excluded.taken_at, download.taken_at)
        else download.taken_at
    end,
    content_sha256 = coalesce(excluded.content_sha256, download.content_sha256);
