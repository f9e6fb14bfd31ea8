-- purpose: Returns evidence that is not genuine and that no upload and no order ties to a user; nested items count as part
--          of their container. Table names are unqualified, so that it reads the present or the transaction's past clock.
create or replace function payrecon.untied_evidence() returns table (
    sha256 bytea, source text, day date, verdict text, byte_count bigint, received_at timestamptz
)
language plpgsql stable
as $$
begin
    return query
    with candidate as materialized (
        select
            evidence.sha256, evidence.source, evidence.verdict, evidence.received_at, evidence.header_key,
            coalesce(evidence.unpacked_length, length(evidence.body)) as body_length
        from judged_evidence as evidence
        where evidence.first_verdict <> 'genuine'
            and evidence.verdict in ('forged', 'foreign')
            and evidence.replaced_by is null
    ),
    link as materialized (
        select candidate.sha256, evidence_links.parent_sha256, evidence_links.batch_id
        from candidate
        inner join evidence_links on evidence_links.sha256 = candidate.sha256
    ),
    -- The hashes that an order may name, now or in an earlier version: that of the item, or of the text in which it was posted.
    text as materialized (
        select candidate.sha256, candidate.sha256 as text_sha256
        from candidate
        union all
        select link.sha256, link.parent_sha256
        from link
        where link.batch_id is not null
    ),
    named as materialized (
        select text.sha256
        from text
        inner join orders on orders.evidence_sha256 = text.text_sha256
        union all
        select text.sha256
        from text
        inner join order_versions on order_versions.evidence_sha256 = text.text_sha256
    ),
    part as materialized (
        select link.sha256
        from link
        inner join judged_evidence as parent on parent.sha256 = link.parent_sha256
        where parent.verdict in ('forged', 'foreign')
    ),
    upload as materialized (
        select uploads.sha256, uploads.source, uploads.user_id, uploads.order_id, uploads.received_at
        from candidate
        inner join uploads on uploads.sha256 = candidate.sha256
    ),
    delivered as (
        select distinct on (delivery.sha256) delivery.sha256, delivery.source, delivery.received_at
        from (
            select candidate.sha256, candidate.source, candidate.received_at from candidate
            union all
            select upload.sha256, upload.source, upload.received_at from upload
        ) as delivery
        order by delivery.sha256, delivery.received_at, delivery.source
    )
    select
        candidate.sha256, delivered.source, (delivered.received_at at time zone 'UTC')::date, candidate.verdict,
        (candidate.body_length + coalesce(length(signed_headers.header), 0))::bigint, delivered.received_at
    from candidate
    inner join delivered on delivered.sha256 = candidate.sha256
    left join signed_headers on signed_headers.header_key = candidate.header_key
    where candidate.sha256 not in (
            select upload.sha256 from upload where is_tied_upload(upload.source, upload.user_id, upload.order_id)
        )
        and candidate.sha256 not in (select named.sha256 from named)
        and candidate.sha256 not in (select part.sha256 from part);
end
$$;
