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
-- Each page and the first page that shares a key with it.
linked as materialized (
    select distinct keyed.sha256, keyed.first_sha256
    from (
        select
            page.sha256,
            first_value(page.sha256) over (
                partition by stated.key, page.list, page.bundle_id, page.environment order by page.sha256
            ) as first_sha256
        from page
        cross join lateral unnest(page.keys) as stated (key)
    ) as keyed
    where keyed.sha256 <> keyed.first_sha256
),
link as materialized (
    select linked.sha256, linked.first_sha256 as other_sha256
    from linked
    union
    select linked.first_sha256, linked.sha256
    from linked
),
-- Starts at pages that are the first ones of all their keys: at least one per history, and one where all pages share a key.
reached as (
    select distinct linked.first_sha256 as start_sha256, linked.first_sha256 as sha256
    from linked
    where linked.first_sha256 not in (select child.sha256 from linked as child)
    union
    select reached.start_sha256, link.other_sha256
    from reached
    inner join link on link.sha256 = reached.sha256
),
member as materialized (
    select distinct labelled.history_key, labelled.sha256
    from (
        select min(encode(reached.sha256, 'hex')) over (partition by reached.start_sha256) as history_key, reached.sha256
        from reached
    ) as labelled
    union all
    select distinct encode(page.sha256, 'hex'), page.sha256
    from page
    where page.sha256 not in (select link.sha256 from link)
),
history as materialized (
    select member.history_key, bool_or(page.names_customer) as names_customer
    from member
    inner join page on page.sha256 = member.sha256
    group by member.history_key
    having bool_and(page.has_more)
),
unfinished as materialized (
    select history.history_key, history.names_customer as history_names_customer, page.*
    from history
    inner join member on member.history_key = history.history_key
    inner join page on page.sha256 = member.sha256
),
unconnected_last as materialized (
    select distinct page.run_id, page.list, page.bundle_id, page.environment, page.names_customer
    from page
    where not page.has_more
        and page.sha256 not in (select link.sha256 from link)
),
completed as materialized (
    select unfinished.history_key
    from unfinished
    inner join unconnected_last using (run_id, list, bundle_id, environment)
    where not (unconnected_last.names_customer and unfinished.history_names_customer)
)
select distinct on (unfinished.history_key)
    'apple' as kind, unfinished.file_name, unfinished.line
from unfinished
where unfinished.history_key not in (select completed.history_key from completed)
    and (
        :'batch_id'::bigint is null
        or unfinished.batch_id = :'batch_id'::bigint
        or unfinished.first_batch_id = :'batch_id'::bigint
    )
order by unfinished.history_key, unfinished.file_name desc, unfinished.line desc, unfinished.sha256;
