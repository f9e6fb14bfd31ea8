-- purpose: history pages read from files that announce more pages, without the last page of their history.
-- rules:   pages that share a key, or are connected by pages that do, belong to one history; a last page (hasMore false)
--          among them completes it. A last page that shares no key completes the histories of its run that none completes,
--          unless both name customers. The order of files and lines does not count.
-- parameters: as_of (timestamptz), batch_id (bigint): first batch of the input; null for all
-- grain:   one row per incomplete history
with recursive page as materialized (
    select history_pages.*, batches.file_name, batches.first_batch_id, coalesce(batches.run_id, '') as run_id
    from history_pages
    inner join batches on batches.batch_id = history_pages.batch_id
    where batches.known_at <= :'as_of'::timestamptz
),
keyed as materialized (
    select distinct page.sha256, page.list, page.bundle_id, page.environment, page.has_more, stated.key
    from page
    cross join lateral unnest(page.keys) as stated (key)
),
shared as materialized (
    select distinct keyed.sha256, other.sha256 as other_sha256, other.has_more
    from keyed
    inner join keyed as other
        on other.key = keyed.key
        and other.list = keyed.list
        and other.bundle_id = keyed.bundle_id
        and other.environment = keyed.environment
        and other.sha256 <> keyed.sha256
),
reached as (
    select page.sha256 as start_sha256, page.sha256
    from page
    where page.has_more
        and page.sha256 not in (select shared.sha256 from shared where not shared.has_more)
    union
    select reached.start_sha256, shared.other_sha256
    from reached
    inner join shared on shared.sha256 = reached.sha256
),
history as materialized (
    select
        reached.start_sha256, min(encode(reached.sha256, 'hex')) as history_key, bool_or(page.names_customer) as names_customer
    from reached
    inner join page on page.sha256 = reached.sha256
    group by reached.start_sha256
    having bool_and(page.has_more)
),
unconnected_last as materialized (
    select distinct page.run_id, page.list, page.bundle_id, page.environment, page.names_customer
    from page
    where not page.has_more
        and page.sha256 not in (select shared.sha256 from shared)
),
completed as materialized (
    select history.history_key
    from history
    inner join page on page.sha256 = history.start_sha256
    inner join unconnected_last
        on unconnected_last.run_id = page.run_id
        and unconnected_last.list = page.list
        and unconnected_last.bundle_id = page.bundle_id
        and unconnected_last.environment = page.environment
        and not (unconnected_last.names_customer and history.names_customer)
)
select distinct on (history.history_key) 'apple' as kind, page.file_name, page.line
from history
inner join page on page.sha256 = history.start_sha256
where history.history_key not in (select completed.history_key from completed)
    and (
        :'batch_id'::bigint is null
        or page.batch_id = :'batch_id'::bigint
        or page.first_batch_id = :'batch_id'::bigint
    )
order by history.history_key, page.file_name desc, page.line desc, page.sha256;
