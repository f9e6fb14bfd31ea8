-- purpose: history pages read from files that announce more pages, without the next page or the last one.
-- rules:   a last page (hasMore false) that shares a key belongs to the same history. So does the page read directly after
--          it in the same run, unless both name different customers or it shares a key with a third page.
-- parameters: as_of (timestamptz), batch_id (bigint): first batch of the input; null for all
-- grain:   one row per page
with page as materialized (
    select
        history_pages.*, batches.file_name,
        lead(history_pages.sha256) over reading as next_sha256
    from history_pages
    inner join batches on batches.batch_id = history_pages.batch_id
    where batches.known_at <= :'as_of'::timestamptz
    window reading as (
        partition by batches.run_id, history_pages.list, history_pages.bundle_id, history_pages.environment
        order by history_pages.batch_id, history_pages.line, history_pages.sha256
    )
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
followed as materialized (
    select page.sha256
    from page
    inner join page as next on next.sha256 = page.next_sha256
    left join shared as third
        on third.sha256 = next.sha256
        and third.other_sha256 <> page.sha256
    left join shared as own
        on own.sha256 = page.sha256
        and own.other_sha256 = next.sha256
    where page.next_sha256 <> page.sha256
        and (own.sha256 is not null or (third.sha256 is null and not (page.names_customer and next.names_customer)))
)
select distinct on (page.file_name, page.line, page.sha256)
    'apple' as kind, page.file_name, page.line,
    'it is a page of a history that says hasMore: true, and no answer with the next page was read' as reason
from page
inner join batches on batches.batch_id = page.batch_id
where page.has_more
    and page.sha256 not in (select shared.sha256 from shared where not shared.has_more)
    and page.sha256 not in (select followed.sha256 from followed)
    and (
        :'batch_id'::bigint is null
        or batches.batch_id = :'batch_id'::bigint
        or batches.first_batch_id = :'batch_id'::bigint
    )
order by page.file_name, page.line, page.sha256;
