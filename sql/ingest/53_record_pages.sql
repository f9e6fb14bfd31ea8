-- purpose: records the history pages of a chunk, at each reading.
-- parameters: batch_id (bigint), pages (text[]): one JSON object per page
-- grain:   one row per page and reading
insert into history_pages (batch_id, line, sha256, list, bundle_id, environment, keys, has_more, names_customer)
select
    :'batch_id'::bigint, page.line, decode(page.sha256, 'hex'), page.list, page.bundle_id, page.environment, page.keys, page.has_more,
    page.names_customer
from unnest(:'pages'::text[]) as input (json)
cross join lateral json_to_record(input.json::json) as page (
    line bigint, sha256 text, list text, bundle_id text, environment text, keys text[], has_more boolean, names_customer boolean
)
on conflict do nothing;
