-- purpose: the next items to re-verify: last verified by another reader and not entirely genuine, or held back until now.
-- parameters: as_of (timestamptz); reader_sha256 (text), row_max, byte_max (bigint): limits, except for the first item
-- grain:   one row per item received on its own
with counted as materialized (
    select
        waiting.sha256, waiting.is_from_apple, evidence.source, evidence.received_at, signed_headers.header, signed_headers.frame,
        evidence.body, evidence.unpacked_length,
        sum(coalesce(evidence.unpacked_length, length(evidence.body))) over (
            order by waiting.sha256, waiting.is_from_apple
        ) as byte_count,
        row_number() over (order by waiting.sha256, waiting.is_from_apple) as place
    from (
        select unproven_evidence.sha256, unproven_evidence.is_from_apple
        from unproven_evidence
        where unproven_evidence.reader_sha256 <> :'reader_sha256'::text
            or unproven_evidence.held_until <= :'as_of'::timestamptz
        order by unproven_evidence.sha256, unproven_evidence.is_from_apple
        limit :'row_max'::bigint
    ) as waiting
    inner join evidence on evidence.sha256 = waiting.sha256
    left join signed_headers on signed_headers.header_key = evidence.header_key
)
select
    encode(sha256, 'hex') as sha256, is_from_apple, source, received_at,
    evidence_text(header, frame, body, unpacked_length) as bytes
from counted
where byte_count <= :'byte_max'::bigint
    or place = 1
order by counted.sha256, is_from_apple;
