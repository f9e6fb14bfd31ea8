-- purpose: evidence that is not genuine and that no upload of ours, and no order, ties to anybody; what lies in such a thing is
--          part of it. Plain names: it tells of the present, or of the clock that a transaction looks back to.
create or replace function payrecon.untied_evidence() returns table (
    sha256 text, source text, day date, verdict text, byte_count bigint, received_at timestamptz
)
language plpgsql stable
as $$
begin
    return query
    -- What an order may name: its hash, or that of the text that it was posted in.
    with text as materialized (
        select evidence.sha256, evidence.sha256 as text_sha256
        from judged_evidence as evidence
        where evidence.first_verdict <> 'genuine'
            and evidence.verdict in ('forged', 'foreign')
        union all
        select evidence.sha256, evidence_links.parent_sha256
        from judged_evidence as evidence
        inner join evidence_links on evidence_links.sha256 = evidence.sha256
        where evidence.first_verdict <> 'genuine'
            and evidence_links.batch_id is not null
    ),
    named as materialized (
        select text.sha256
        from text
        inner join match_keys on match_keys.key = text.text_sha256
        where match_keys.kind = 'evidence'
            and match_keys.side = 'order'
    )
    select
        evidence.sha256, delivered.source, (delivered.received_at at time zone 'UTC')::date, evidence.verdict,
        (coalesce(evidence.unpacked_length, length(evidence.body)) + coalesce(length(signed_headers.header), 0))::bigint,
        delivered.received_at
    from judged_evidence as evidence
    cross join lateral (
        select earliest.source, earliest.received_at
        from (
            select evidence.source, evidence.received_at
            union all
            select uploads.source, uploads.received_at
            from uploads
            where uploads.sha256 = evidence.sha256
        ) as earliest
        order by earliest.received_at, earliest.source
        limit 1
    ) as delivered
    left join signed_headers on signed_headers.header_sha256 = evidence.header_sha256
    where evidence.first_verdict <> 'genuine'
        and evidence.verdict in ('forged', 'foreign')
        and evidence.replaced_by is null
        and not exists (
            select 1
            from uploads
            where uploads.sha256 = evidence.sha256
                and is_tied_upload(uploads.source, uploads.user_id, uploads.order_id)
        )
        and evidence.sha256 not in (select named.sha256 from named)
        and not exists (
            select 1
            from evidence_links
            inner join judged_evidence as parent on parent.sha256 = evidence_links.parent_sha256
            where evidence_links.sha256 = evidence.sha256
                and parent.verdict in ('forged', 'foreign')
        );
end
$$;
