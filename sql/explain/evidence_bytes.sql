-- purpose: the original bytes of an evidence item or quarantine sample. An unsigned item keyed by two hashes also returns
--          its container: the container's bytes in hexadecimal, followed by the item's own bytes.
-- parameters: sha256 (text)
-- grain:   one row, or none
with item as materialized (
    select evidence.sha256, signed_headers.header, signed_headers.frame, evidence.body, evidence.unpacked_length
    from evidence
    left join signed_headers on signed_headers.header_key = evidence.header_key
    where evidence.sha256 = hash_of_letters(:'sha256'::text)
),
stored as materialized (
    select item.sha256, evidence_text(item.header, item.frame, item.body, item.unpacked_length) as bytes from item
),
parent as materialized (
    select evidence_links.parent_sha256
    from stored
    inner join evidence_links on evidence_links.sha256 = stored.sha256
),
container as (
    select min(encode(parent.parent_sha256, 'hex')) as sha256
    from stored
    cross join parent
    where sha256(stored.bytes) <> stored.sha256
        and sha256(convert_to(encode(parent.parent_sha256, 'hex'), 'UTF8') || stored.bytes) = stored.sha256
)
select stored.bytes, container.sha256 as container_sha256
from stored
cross join container
union all
select decode(sample.body_base64, 'base64'), null::text
from (
    select quarantined_items.body_base64
    from quarantined_items
    where quarantined_items.sha256 = :'sha256'::text
        and quarantined_items.released_batch_id is null
        and quarantined_items.batch_id is not null
    order by quarantined_items.day, quarantined_items.source
    limit 1
) as sample
where not exists (select 1 from item);
